#include "surefield/api/set_marginals.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <type_traits>

#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/partition/branch_and_bound_log_z.hpp"
#include "surefield/partition/dpp.hpp"
#include "surefield/partition/elimination.hpp"
#include "surefield/partition/enumeration.hpp"
#include "surefield/partition/flid_exact.hpp"

namespace surefield {
namespace {

constexpr Index kEnumerable = 20;  // free items: a second
constexpr Index kBranched = 2000;  // items whose leaves fit the memory
constexpr double kNarrow = 0.02;   // an interval whose middle says enough

std::vector<double> mean_field(const Problem& problem) {
  return infer(problem, {.quick_proof = false}).marginals;  // in the user's variables
}

/// The exact marginals by the first method that applies.
template <class M>
std::optional<SetMarginals> exact(const M& model, const Problem& problem, unsigned threads) {
  const auto attempt = [&](const char* method, auto&& action) -> std::optional<SetMarginals> {
    try {
      return SetMarginals{.values = in_user_variables(problem, action()), .method = method};
    } catch (const Error&) {
      return std::nullopt;  // above its limit, or not for this box
    }
  };
  if constexpr (std::is_same_v<M, LogDet>)
    if (auto found =
            attempt("determinant", [&] { return exact_dpp(model, problem.box).marginals; }))
      return found;
  if constexpr (std::is_same_v<M, Flid> || std::is_same_v<M, FacilityLocation>)
    if (auto found = attempt("best items", [&] {
          return flid_exact(model, &problem.box, {.limit = 2e7, .threads = threads}).marginals;
        }))
      return found;
  if constexpr (std::is_same_v<M, PairwiseField> || std::is_same_v<M, GibbsField>)
    if (auto found = attempt(
            "elimination", [&] { return eliminate(model, &problem.box, {.limit = 20}).marginals; }))
      return found;
  Index free = 0;
  for (Index i = 0; i < problem.size(); ++i) free += !problem.box[i].is_point();
  if (free > kEnumerable) return std::nullopt;
  return attempt("enumeration", [&] {
    return enumerate_log_z(model, &problem.box, {.threads = threads}).marginals;
  });
}

template <class M>
std::optional<SetMarginals> certified(const M& model, const Problem& problem,
                                      const SetMarginalsOptions& options) {
  if (!problem.is_submodular() || problem.size() > kBranched) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  CertifiedLogZOptions how{.width = options.width, .marginals = true, .threads = options.threads};
  how.observer = [&](const CertifiedLogZProgress&) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return (!options.go_on || options.go_on()) && spent.count() < options.seconds;
  };
  std::vector<Interval> bounds;
  try {
    bounds = branch_and_bound_log_z(model, &problem.box, how).marginals;
  } catch (const Error&) {
    return std::nullopt;
  }
  SetMarginals found{.values = {}, .method = "branch and bound"};
  for (const Interval& in : bounds) found.error = std::max(found.error, in.width() / 2);
  if (2 * found.error <= kNarrow) {
    for (const Interval& in : bounds) found.values.push_back((in.low + in.high) / 2);
    found.values = in_user_variables(problem, std::move(found.values));
    return found;
  }
  found.method = "mean field, moved into the intervals of branch and bound";
  const auto close = in_user_variables(problem, mean_field(problem));  // the model's own variables
  found.error = 0;
  for (Index i = 0; i < bounds.size(); ++i) {
    const double p = bounds[i].clamp(close[i]);
    found.values.push_back(p);
    found.error = std::max({found.error, bounds[i].high - p, p - bounds[i].low});
  }
  found.values = in_user_variables(problem, std::move(found.values));
  return found;
}

}  // namespace

SetMarginals set_marginals(const Problem& problem, const SetMarginalsOptions& options) {
  for (Index i = 0; i < problem.size(); ++i)
    require(problem.box.low[i] == problem.box.high[i]
                ? problem.box.low[i] == 0 || problem.box.low[i] == 1
                : problem.box[i] == Interval{0, 1},
            "marginals: item ", i, " is bounded to [", problem.box.low[i], ", ",
            problem.box.high[i], "]; only in, out or free has a meaning for sets");
  return std::visit(
      [&](const auto& model) -> SetMarginals {
        if (auto found = exact(model, problem, options.threads)) return *found;
        if (auto found = certified(model, problem, options)) return *found;
        return {.values = mean_field(problem), .method = "mean field", .error = kInfinity};
      },
      problem.model);
}

}  // namespace surefield
