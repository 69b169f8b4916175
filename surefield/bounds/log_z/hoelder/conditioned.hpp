// Bounds of log Z by cases: k items are settled in all 2^k ways, and the cases added up.
//
//   log Z = log sum_c e^{log Z_c}     >= log sum_c e^{mean field of case c}
//                                     <= log sum_c e^{Hoelder bound of case c}
//
// The items are those that are uncertain and pull at uncertain others; at the mean field x:
//
//   x_i (1 - x_i) sum_j H_ij^2 x_j (1 - x_j)       H_ij = g_j(x_i = 1) - g_j(x_i = 0), beta in
//
// Cases are independent; the result does not depend on the number of threads. Cost: 2^k times one
// mean field or Hoelder bound, and 2 n gradients for the choice.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/objectives/elbo.hpp"
#include "surefield/bounds/log_z/accuracy.hpp"
#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/hoelder/hoelder.hpp"

namespace surefield {

struct ConditionedOptions {
  double beta = 1;
  Index items = 4;       ///< k, at most 20; fewer if fewer are free
  unsigned threads = 1;  ///< for the cases
  CoordinateAscentOptions ascent{.epochs = 1000, .tolerance = 1e-8};
  HoelderOptions hoelder{};  ///< its beta is not used
  std::vector<double> start =
      {};  ///< a mean field solution, if one is known; by default ascent from 1/2
};

struct ConditionedBound {
  double bound = 0;          ///< the side is in the name of the function
  std::vector<Index> items;  ///< those settled, the most important first
};

namespace detail {

/// The box with the items settled as the bits of the case say.
inline Box settled(Box box, std::span<const Index> items, std::uint64_t which) {
  for (Index k = 0; k < items.size(); ++k) box.fix(items[k], which >> k & 1 ? 1 : 0);
  return box;
}

inline void require_case_count(Index items) {
  require(items <= 20, "conditioned bound: the number of items is ", items,
          ", which must be at most 20");
}

/// log sum of the bounds of all cases. The sum is made in the order of the cases.
template <class Bound>
double over_cases(Index items, unsigned threads, const Bound& bound) {
  std::vector<double> cases(std::size_t{1} << items);
  for_each_index(cases.size(), threads, [&](std::size_t which) { cases[which] = bound(which); });
  return log_sum_exp(cases);
}

template <Model M>
std::vector<double> mean_field(const M& model, const Box& box, std::vector<double> start,
                               const ConditionedOptions& options) {
  for (Index i = 0; i < start.size(); ++i) start[i] = box[i].clamp(start[i]);
  return coordinate_ascent(Elbo(model.at(start), options.beta), box, Order::natural(model.size()),
                           options.ascent)
      .point;
}

/// The solution without cases. By Jensen's inequality cases that start from it sum up to no less
/// than it.
template <Model M>
std::vector<double> solution_without_cases(const M& model, const Box& box,
                                           const ConditionedOptions& options) {
  require(options.start.empty() || options.start.size() == model.size(),
          "conditioned bound: the start has ", options.start.size(), " coordinates, which must be ",
          model.size());
  return mean_field(model, box,
                    options.start.empty() ? std::vector<double>(model.size(), 0.5) : options.start,
                    options);
}

template <Model M>
double elbo_at(const M& model, std::span<const double> x, double beta) {
  return Elbo(model.at(x), beta).value();
}

inline Box box_or_unit(const Box* box, Index n) { return box != nullptr ? *box : unit_box(n); }

}  // namespace detail

/// The k free items with the largest scores at the mean field solution, ties to the first.
template <Model M>
std::vector<Index> conditioning_items(const M& model, const Box* box,
                                      const ConditionedOptions& options) {
  detail::require_case_count(options.items);
  require_positive_inverse_temperature(options.beta, "conditioned bound");
  const FreeItems fixed = free_items(box, model.size(), "conditioned bound");
  const Box whole = detail::box_or_unit(box, model.size());
  const auto x = detail::solution_without_cases(model, whole, options);
  auto state = model.at(x);
  std::vector<double> low(x.size()), high(x.size()), score(x.size(), 0);
  for (const Index i : fixed.free) {
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

/// log Z(beta) over the sets of the box >= bound. Two starts a case, the solution without cases and
/// 1/2. Throws Error for more than 20 items, beta not finite and > 0, an interval that is not
/// [0, 1], 0 or 1, and a model whose extension is estimated only.
template <Model M>
ConditionedBound conditioned_lower_bound(const M& model, const Box* box = nullptr,
                                         const ConditionedOptions& options = {}) {
  const Accuracy accuracy = accuracy_of(model);
  require(!accuracy.estimated,
          "conditioned bound: the multilinear extension of this model is estimated by sampling, "
          "which proves nothing");
  ConditionedBound result;
  result.items = conditioning_items(model, box, options);
  const Box whole = detail::box_or_unit(box, model.size());
  const std::vector<double> half(model.size(), 0.5);
  const auto root = detail::solution_without_cases(model, whole, options);
  const double sum =
      detail::over_cases(result.items.size(), options.threads, [&](std::uint64_t which) {
        const Box box_of_case = detail::settled(whole, result.items, which);
        double best = -kInfinity;
        for (const auto& start : {root, half}) {
          const auto x = detail::mean_field(model, box_of_case, start, options);
          best = std::max(best, detail::elbo_at(model, x, options.beta));
        }
        return best;
      });
  const double magnitude =
      options.beta * accuracy.magnitude + static_cast<double>(model.size()) + std::abs(sum);
  result.bound = sum - rounding_margin(model.size(), magnitude) - options.beta * accuracy.extension;
  if (!std::isfinite(result.bound)) result.bound = -kInfinity;  // beyond a double: no bound
  return result;
}

/// log Z(beta) over the sets of the box <= bound, by the Hoelder bounds of the cases, or by the one
/// without cases where that is less, as it may be where a case falls into other pieces. Throws
/// Error as the lower bound and hoelder_bound do.
template <Model M>
ConditionedBound conditioned_upper_bound(const M& model, const Box* box = nullptr,
                                         const ConditionedOptions& options = {}) {
  ConditionedBound result;
  HoelderOptions hoelder = options.hoelder;
  hoelder.beta = options.beta;
  result.items = conditioning_items(model, box, options);
  const Box whole = detail::box_or_unit(box, model.size());
  const double sum =
      detail::over_cases(result.items.size(), options.threads, [&](std::uint64_t which) {
        const Box box_of_case = detail::settled(whole, result.items, which);
        return hoelder_bound(model, &box_of_case, hoelder).log_z_upper;
      });
  result.bound = std::min(sum + rounding_margin(1, std::abs(sum) + 1),
                          hoelder_bound(model, box, hoelder).log_z_upper);
  return result;
}

}  // namespace surefield
