#include "surefield/api/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "surefield/bounds/log_z/exact/conditional_tree.hpp"
#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"
#include "surefield/bounds/log_z/sampling/perfect_sampling.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/log_z_result.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/submodular_difference.hpp"

namespace surefield {
namespace {

constexpr double kWidth = 0.1;  // of the tree's interval: nine draws of ten are kept
constexpr Index kSplits = 1'000'000;
constexpr double kSplitItems = 1e8;  // splits times items, where nobody asked: a minute or two
constexpr Index kDoublings = 7;      // from the first splits to the last
constexpr double kTooWide = 4;       // of the interval in the end: one draw of 50 is kept
// Where it is wider draws may be kept all the same, since the upper end may be close: of so many one must be, on the way and in the end.
constexpr Index kFirstTrial = 5'000, kLastTrial = 50'000;
constexpr Index kWidest = 22;  // variables of a table, if their work and room allow it
constexpr double kTableOperations = 5e9, kTableBytes = 1e9;

std::vector<Index> members(const std::vector<std::uint8_t>& chosen, const Problem& problem) {
  std::vector<Index> set;
  for (Index i = 0; i < chosen.size(); ++i)
    if ((chosen[i] != 0) != (!problem.flips.empty() && problem.flips[i] != 0)) set.push_back(i);
  return set;
}

/// Sets in the model's variables.
struct Drawn {
  std::vector<std::vector<std::uint8_t>> sets;
  double acceptance = 1;
  double error = 0;  ///< of the log of the chance of a set
  Basis basis = Basis::kProved;
};

/// Where elimination finds the chance of every item given those drawn before; nothing where its tables are too large, or there are none.
std::optional<Drawn> drawn_by_elimination(const Problem& problem, const SampleOptions& options) {
  if (problem.size() > kEliminable || !is_of_sets(problem.box)) return std::nullopt;
  std::optional<ConditionalTree> tree;
  try {
    tree.emplace(problem.model, problem.box,
                 ConditionalTreeOptions{.beta = options.inverse_temperature,
                                        .limit = kWidest,
                                        .budget = options.budget.part(0.5)
                                                      .with_operations(kTableOperations)
                                                      .with_bytes(kTableBytes)});
  } catch (const Error&) {
    return std::nullopt;
  }
  Drawn drawn{.sets = {}, .error = tree->error(), .basis = problem.model.facts().value_basis()};
  Random random(options.seed);
  for (Index k = 0; k < options.count && !options.budget.spent(); ++k) {
    drawn.sets.emplace_back(problem.size());
    tree->draw(random, drawn.sets.back());
  }
  return drawn;
}

/// How wide the interval is in the end, if it goes on to narrow as it did from half as many splits to these.
double width_to_expect(double before, double now, Index splits, Index most) {
  const double doublings = std::log2(static_cast<double>(most) / static_cast<double>(splits));
  return now * std::pow(std::min(1.0, now / before), doublings);
}

/// Whether one of so many draws is kept.
bool keeps_any(const LogZTree& tree, Index draws, const SampleOptions& options) {
  try {
    return !perfect_sample(tree, 1, options.seed, options.budget, draws).sets.empty();
  } catch (const Error&) {
    return false;
  }
}

/// Refined; nothing where nobody asked for perfect samples and next to no draw would be kept.
std::optional<LogZTree> tree_to_draw_from(const Problem& problem, const SampleOptions& options) {
  const bool asked = options.method == "perfect";
  if (!asked && !problem.is_submodular() && !submodular_difference(problem.model))
    return std::nullopt;
  LogZTree tree = log_z_tree(problem.model, &problem.box, options.inverse_temperature);
  const Budget budget = options.budget.part(0.5);
  const double affordable = kSplitItems / (1 + static_cast<double>(problem.size()));
  const Index most = asked || affordable > kSplits ? kSplits : static_cast<Index>(affordable) + 1;
  double before = kInfinity;
  for (Index splits = (most >> kDoublings) + 1;; splits = std::min(2 * splits, most)) {
    const CertifiedLogZ found =
        refine_log_z(tree, {.beta = options.inverse_temperature,
                            .width = kWidth,
                            .splits = splits - std::min(splits, tree.splits()),
                            .budget = budget});
    const double now = tree.log_z().width();
    if (found.status != Status::kEpochLimit || splits == most) break;
    if (!asked && width_to_expect(before, now, splits, most) > kTooWide &&
        !keeps_any(tree, kFirstTrial, options))
      return std::nullopt;
    before = now;
  }
  if (!asked && tree.log_z().width() > kTooWide && !keeps_any(tree, kLastTrial, options))
    return std::nullopt;
  return tree;
}

std::optional<Drawn> drawn_from_a_tree(const Problem& problem, const SampleOptions& options) {
  const std::optional<LogZTree> tree = tree_to_draw_from(problem, options);
  if (!tree) return std::nullopt;
  PerfectSample found = perfect_sample(*tree, options.count, options.seed, options.budget);
  const double acceptance = found.acceptance();
  return Drawn{.sets = std::move(found.sets),
               .acceptance = acceptance,
               .error = problem.model.facts().times(options.inverse_temperature).value_error,
               .basis = tree->basis()};
}

}  // namespace

SampleResult sample(const Problem& problem, const SampleOptions& options) {
  require(options.method == "auto" || options.method == "perfect" || options.method == "gibbs",
          "sample: the method '", options.method, "' is not known; there are auto, perfect, gibbs");
  SampleResult result;
  std::optional<Drawn> drawn;
  if (options.method != "gibbs") drawn = drawn_by_elimination(problem, options);
  if (options.method != "gibbs" && !drawn) drawn = drawn_from_a_tree(problem, options);
  if (drawn) {
    result.exact = drawn->error <= kSixDigits;
    constexpr double kUp = 1.06;  // two digits round down by a twentieth at most
    result.method = result.exact ? "perfect: independent sets of exactly this distribution"
                                 : fmt::format(
                                       "perfect up to rounding: the chance of a set is that "
                                       "of F to a factor within e^{:.2g}",
                                       kUp * drawn->error);
    result.acceptance = drawn->acceptance;
    result.basis = drawn->basis;
    if (result.basis == Basis::kAssumesSubmodular)
      result.method += ", if F is submodular, which is assumed";
    if (result.basis == Basis::kAssumesRounding)
      result.method += ", up to the rounding of its numbers, which is assumed";
  } else {
    result.method = "gibbs: approximate, 1000 sweeps before the first set and 10 between two";
    drawn.emplace();
    drawn->sets = gibbs_sample(
        problem.model, options.count, &problem.box,
        {.beta = options.inverse_temperature, .seed = options.seed, .budget = options.budget});
  }
  result.complete = drawn->sets.size() == options.count;
  for (const auto& chosen : drawn->sets) result.sets.push_back(members(chosen, problem));
  return result;
}

}  // namespace surefield
