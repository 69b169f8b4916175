#include "surefield/bounds/log_z/hoelder/conditioned.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/sets_of_box.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/objectives/elbo.hpp"
#include "surefield/objectives/elbo_error.hpp"

namespace surefield {
namespace {

/// The box with the items settled as the bits of the case say.
Box settled(Box box, std::span<const Index> items, std::uint64_t which) {
  for (Index k = 0; k < items.size(); ++k) box.fix(items[k], which >> k & 1 ? 1 : 0);
  return box;
}

std::vector<double> mean_field(const AnyModel& model, const Box& box, std::vector<double> start,
                               const ConditionedOptions& options) {
  for (Index i = 0; i < start.size(); ++i) start[i] = box[i].clamp(start[i]);
  CoordinateAscentOptions ascent = options.ascent;
  ascent.budget = options.budget;
  return coordinate_ascent(Elbo(model.at(start), options.beta), box, Order::natural(model.size()),
                           ascent)
      .point;
}

/// The solution without cases. By Jensen's inequality cases that start from it sum up to no less
/// than it.
std::vector<double> solution_without_cases(const AnyModel& model, const Box& box,
                                           const ConditionedOptions& options) {
  require(options.start.empty() || options.start.size() == model.size(),
          "conditioned bound: the start has ", options.start.size(), " coordinates, which must be ",
          model.size());
  return mean_field(model, box,
                    options.start.empty() ? std::vector<double>(model.size(), 0.5) : options.start,
                    options);
}

/// All of a bound but which case it is of.
struct Cases {
  bool upper = false;
  double beta = 1;
  Box whole = {};
  std::vector<Index> items = {};
  std::vector<double> root = {};  // of mean field: the solution without cases
  std::size_t epochs = 0, iterations = 0;
  double tolerance = 0, progress = 0;
  Index width = 0;

  static Cases of(bool upper, Box whole, std::vector<Index> items, std::vector<double> root,
                  const ConditionedOptions& options) {
    return {upper,
            options.beta,
            std::move(whole),
            std::move(items),
            std::move(root),
            options.ascent.epochs,
            options.hoelder.iterations,
            options.ascent.tolerance,
            options.hoelder.progress,
            options.hoelder.width};
  }
  ConditionedOptions options(const Budget& budget) const {
    ConditionedOptions how;
    how.beta = beta;
    how.budget = budget;
    how.ascent.epochs = epochs, how.ascent.tolerance = tolerance;
    how.hoelder.beta = beta, how.hoelder.budget = budget;
    how.hoelder.iterations = iterations, how.hoelder.progress = progress;
    how.hoelder.width = width;
    return how;
  }
};

auto fields_of(Cases& cases) {
  auto& [upper, beta, whole, items, root, epochs, iterations, tolerance, progress, width] = cases;
  return std::tie(upper, beta, whole, items, root, epochs, iterations, tolerance, progress, width);
}

double bound_of_case(const AnyModel& model, const Cases& cases, std::uint64_t which,
                     const Budget& budget) {
  const Box box = settled(cases.whole, cases.items, which);
  const ConditionedOptions options = cases.options(budget);
  if (cases.upper) return hoelder_bound(model, &box, options.hoelder).log_z_upper;
  const std::vector<double> half(model.size(), 0.5);
  double best = -kInfinity;
  for (const auto* start : {&cases.root, &half}) {
    const auto x = mean_field(model, box, *start, options);
    const double value = Elbo(model.at(x), cases.beta).value();
    best = std::max(best, value - elbo_error(model.facts().times(cases.beta), x.size(), value));
  }
  return best;
}

/// The bounds of all cases in their order.
std::vector<double> over_cases(const AnyModel& model, const Cases& cases, const Budget& budget,
                               Helpers* helpers) {
  std::vector<double> bounds(std::size_t{1} << cases.items.size());
  const Subject subject{std::string(kCasesSubject), packed(cases)};
  ask(helpers, {.subject = subject,
                .count = bounds.size(),
                .budget = budget,
                .here =
                    [&](std::size_t which) {
                      if (!budget.spent())
                        bounds[which] = bound_of_case(model, cases, which, budget);
                    },
                .question = [](std::size_t which) { return packed(std::uint64_t{which}); },
                .keep = [&](std::size_t which,
                            std::string_view bytes) { bounds[which] = unpacked<double>(bytes); }});
  require(!budget.spent(), "conditioned bound: time ran out before all ", bounds.size(),
          " cases were done, and fewer are no bound");
  return bounds;
}

Box box_or_unit(const Box* box, Index n) { return box != nullptr ? *box : unit_box(n); }

double largest_size(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

std::vector<Index> conditioning_items(const AnyModel& model, const Box* box,
                                      const ConditionedOptions& options) {
  require(options.items <= 20, "conditioned bound: the number of items is ", options.items,
          ", which must be at most 20");
  require_positive_inverse_temperature(options.beta, "conditioned bound");
  const FreeItems fixed = free_items(box, model.size(), "conditioned bound");
  const Box whole = box_or_unit(box, model.size());
  const auto x = solution_without_cases(model, whole, options);
  AnyState state = model.at(x);
  std::vector<double> low(x.size()), high(x.size()), score(x.size(), 0);
  for (const Index i : fixed.free) {
    if (options.budget.spent()) break;
    state.set(i, 0);
    state.gradient(low);
    state.set(i, 1);
    state.gradient(high);
    state.set(i, x[i]);
    for (const Index j : fixed.free) {
      const double pull = options.beta * (high[j] - low[j]);
      if (j != i) score[i] += pull * pull * x[j] * (1 - x[j]);
    }
    score[i] *= x[i] * (1 - x[i]);
  }
  std::vector<Index> items = fixed.free;
  std::ranges::stable_sort(items, [&](Index a, Index b) { return score[a] > score[b]; });
  items.resize(std::min(items.size(), options.items));
  return items;
}

ConditionedBound conditioned_lower_bound(const AnyModel& model, const Box* box,
                                         const ConditionedOptions& options) {
  const Facts& facts = model.facts();
  require(!facts.estimated,
          "conditioned bound: the multilinear extension of this model is estimated by sampling, "
          "which proves nothing");
  ConditionedBound result;
  result.items = conditioning_items(model, box, options);
  const Box whole = box_or_unit(box, model.size());
  const auto cases = over_cases(
      model,
      Cases::of(false, whole, result.items, solution_without_cases(model, whole, options), options),
      options.budget, options.helpers);
  const double sum = log_sum_exp(cases);
  result.bound = sum - gamma_of(32) * (std::abs(sum) + largest_size(cases) + 1);
  if (!std::isfinite(result.bound)) result.bound = -kInfinity;  // beyond a double: no bound
  return result;
}

ConditionedBound conditioned_upper_bound(const AnyModel& model, const Box* box,
                                         const ConditionedOptions& options) {
  ConditionedBound result;
  HoelderOptions hoelder = options.hoelder;
  hoelder.beta = options.beta;
  hoelder.budget = options.budget;
  result.items = conditioning_items(model, box, options);
  const Box whole = box_or_unit(box, model.size());
  const auto cases = over_cases(model, Cases::of(true, whole, result.items, {}, options),
                                options.budget, options.helpers);
  const double sum = log_sum_exp(cases);
  result.bound = std::min(sum + gamma_of(32) * (std::abs(sum) + largest_size(cases) + 1),
                          hoelder_bound(model, box, hoelder).log_z_upper);
  return result;
}

Answerer cases_answerer(const AnyModel& model, std::string_view subject, const Budget& budget) {
  return [model, cases = unpacked<Cases>(subject), budget](std::string_view question) {
    return packed(bound_of_case(model, cases, unpacked<std::uint64_t>(question), budget));
  };
}

}  // namespace surefield
