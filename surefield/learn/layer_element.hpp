// One element of a layer of mean field: the model with its numbers, forward and back (mean_field_layer.hpp).
//
//   L = a . x* + c f*       dL/dtheta = sum_i lambda_i dg_i/dtheta + c beta dm/dtheta        lambda from a (implicit.hpp)
//                           dL/dbeta  = sum_i lambda_i g_i / beta  + c m(x*)
//
// The gradient of f* alone, with slopes v on dL/dtheta and w on dL/dbeta, is once more a function of x*. Since m is
// linear in theta, d(v . dm/dtheta)/dx is the gradient of the extension along v, and the second derivative is
// the first of a loss of the marginals:
//
//   K = c (beta v . dm/dtheta + w m)      a' = c (beta dg/dtheta v + w g)      dK/dtheta = as above for a', + c w dm/dtheta
//
// Everything throws Error where there is no answer, before a number is written.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/fixed_point.hpp"
#include "surefield/learn/implicit.hpp"
#include "surefield/learn/mean_field_layer.hpp"
#include "surefield/learn/unrolled.hpp"
#include "surefield/models/balance.hpp"

namespace surefield::detail {

template <class T>
std::span<T> row_of(std::span<T> rows, std::size_t element, std::size_t width) {
  return rows.empty() ? rows : rows.subspan(element * width, width);
}

inline double dot_of(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline Box box_of_masks(Index items, std::span<const std::uint8_t> include,
                        std::span<const std::uint8_t> exclude) {
  Box box = unit_box(items);
  for (Index i = 0; i < items; ++i) {
    const bool in = !include.empty() && include[i] != 0;
    const bool out = !exclude.empty() && exclude[i] != 0;
    require(!in || !out, "mean field layer: item ", i,
            " is both included and excluded, which must be one of the two");
    if (in || out) box.fix(i, in ? 1 : 0);
  }
  return box;
}

inline std::vector<double> middle_of(const Box& box) {
  std::vector<double> x(box.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = box.low[i] + box[i].width() / 2;
  return x;
}

/// One element: the model with its numbers, and where it may go.
template <class M>
struct LayerElement {
  M model;
  double beta;
  Box box;

  LayerElement(const M& structure, const LayerBatch& batch, std::size_t e)
      : model(with_parameters(structure,
                              row_of(batch.parameters, e, batch.parameters.size() / batch.count))),
        beta(batch.inverse_temperature[e]),
        box(box_of_masks(structure.size(), row_of(batch.include, e, structure.size()),
                         row_of(batch.exclude, e, structure.size()))) {
    require(std::isfinite(beta) && beta > 0, "mean field layer: the inverse temperature is ", beta,
            ", which must be finite and > 0");
  }

  /// Where double greedy ends, and its bound if that is wanted and F is submodular. A field that flips of
  /// variables make so is flipped, and the point flipped back.
  Report pass(bool wants_bound) const {
    if constexpr (std::is_same_v<M, PairwiseField>) {
      if (submodularity_violation(model)) {
        if (const auto flips = balancing_flips(model)) return flipped_pass(*flips, wants_bound);
      }
    }
    return pass_of(model, box, wants_bound);
  }

  UnrolledAscent unrolled(const MeanFieldLayerOptions& options) const {
    return unrolled_ascent(
        model, middle_of(box), Order::natural(model.size()),
        {.inverse_temperature = beta, .sweeps = options.epochs, .tolerance = options.tolerance},
        &box);
  }

 private:
  Report pass_of(const M& of, const Box& where, bool wants_bound) const {
    const Index n = of.size();
    Facts facts;
    if (wants_bound) facts = facts_of(of).times(beta);
    Report report = double_greedy(Elbo(of.at(where.low), beta), Elbo(of.at(where.high), beta),
                                  natural_order(n), Equalised{}, false, pass_rounding(facts, n))
                        .report;
    if (!wants_bound || !facts.is_submodular() || facts.estimated) report.upper_bound.reset();
    return report;
  }

  Report flipped_pass(const std::vector<std::uint8_t>& flips, bool wants_bound) const {
    Box mirrored = box;
    for (Index i = 0; i < flips.size(); ++i)
      if (flips[i] != 0 && box[i].is_point()) mirrored.fix(i, 1 - box.low[i]);  // 0 or 1
    Report report = pass_of(flipped(model, flips), mirrored, wants_bound);
    for (Index i = 0; i < flips.size(); ++i)
      if (flips[i] != 0) report.point[i] = 1 - report.point[i];
    return report;
  }
};

template <class M>
void answer_one(const M& structure, const MeanFieldLayerOptions& options, const LayerBatch& batch,
                std::size_t e, const LayerAnswer& answer, const Budget& budget) {
  const LayerElement<M> element(structure, batch, e);
  std::vector<double> x;
  answer.upper_bound[e] = kInfinity;
  const bool implicit = options.gradient == LayerGradient::kImplicit;
  if (implicit || options.upper_bound) {
    Report pass = element.pass(options.upper_bound);
    answer.upper_bound[e] = pass.upper_bound.value_or(kInfinity);
    x = std::move(pass.point);
  }
  if (implicit) {
    FixedPoint found =
        fixed_point(element.model, derivatives_of(element.model), std::move(x), element.box,
                    {.inverse_temperature = element.beta,
                     .epochs = options.epochs,
                     .tolerance = options.tolerance,
                     .budget = budget});
    answer.status[e] = found.status;
    x = std::move(found.point);
  } else {
    UnrolledAscent path = element.unrolled(options);
    answer.status[e] =
        path.last_move <= options.tolerance ? Status::kConverged : Status::kEpochLimit;
    x = std::move(path.point);
  }
  answer.elbo[e] = Elbo(element.model.at(x), element.beta).value();
  require(std::isfinite(answer.elbo[e]), "mean field layer: the ELBO is ", answer.elbo[e],
          ", which must be finite");
  std::ranges::copy(x, row_of(answer.marginals, e, x.size()).begin());
}

/// All there is to know at a point, made once.
template <class M>
struct LayerPoint {
  decltype(derivatives_of(std::declval<const M&>())) derivatives;
  std::vector<double> gradient;
  double value;  // m(x)

  LayerPoint(const M& model, std::span<const double> x)
      : derivatives(derivatives_of(model)), gradient(model.size()) {
    const auto state = model.at(x);
    state.gradient(gradient);
    value = state.value();
  }
};

/// dL/dtheta and dL/dbeta of a loss of the marginals: one solve. Throws Error where there is none.
template <class M>
MarginalGradient through_marginals(const LayerPoint<M>& at, const LayerElement<M>& element,
                                   std::span<const double> x, std::span<const double> slope) {
  MarginalGradient result;
  const std::vector<double> lambda = implicit_adjoint(
      [&](std::span<const double> v) { return at.derivatives.hessian_times(x, v); }, x, at.gradient,
      element.box, slope, {.inverse_temperature = element.beta, .dense_items = 0}, result);
  require(result.status == GradientStatus::kDone, "mean field layer: no gradient, ",
          text_of(result.status), " (residual ", result.residual, ", condition ", result.condition,
          ")");
  result.parameters = at.derivatives.in_parameters_along(x, lambda);
  return result;
}

inline bool any_slope(std::span<const double> slope) {
  return std::ranges::any_of(slope, [](double one) { return one != 0; });
}

/// The slope of the ELBO in the point, 0 where a coordinate has no room to move in a double.
inline std::vector<double> elbo_slope_of(std::span<const double> gradient, double beta,
                                         std::span<const double> x) {
  std::vector<double> slope(x.size(), 0.0);
  for (Index i = 0; i < x.size(); ++i)
    if (x[i] > 0 && x[i] < 1) slope[i] = beta * gradient[i] - logit(x[i]);
  return slope;
}

template <class M>
void back_one(const M& structure, const MeanFieldLayerOptions& options, const LayerBatch& batch,
              std::size_t e, std::span<const double> marginals, const LayerSlopes& slopes,
              const LayerDerivatives& out) {
  const LayerElement<M> element(structure, batch, e);
  const std::span<const double> x = row_of(marginals, e, element.model.size());
  const std::span<const double> given = row_of(slopes.marginals, e, element.model.size());
  const double elbo = slopes.elbo.empty() ? 0 : slopes.elbo[e];
  require(std::isfinite(elbo), "mean field layer: the slope of the ELBO is ", elbo,
          ", which must be finite");
  require_inside(element.box, x);
  const LayerPoint<M> at(element.model, x);
  MarginalGradient result;
  if (options.gradient == LayerGradient::kImplicit) {
    if (any_slope(given)) result = through_marginals(at, element, x, given);
  } else {
    std::vector<double> slope(x.size(), 0.0);
    if (elbo != 0) slope = elbo_slope_of(at.gradient, element.beta, x);
    for (Index i = 0; i < x.size(); ++i)
      slope[i] = elbo * slope[i] + (given.empty() ? 0 : given[i]);
    result = unrolled_gradient(element.model, element.unrolled(options), slope);
  }
  const std::span<double> parameters =
      row_of(out.parameters, e, out.parameters.size() / batch.count);
  std::ranges::copy(result.parameters, parameters.begin());
  out.inverse_temperature[e] = result.inverse_temperature + elbo * at.value;
  if (elbo == 0) return;
  const std::vector<double> direct = at.derivatives.in_parameters(x);
  for (std::size_t p = 0; p < direct.size(); ++p) parameters[p] += elbo * element.beta * direct[p];
}

template <class M>
void second_one(const M& structure, const LayerBatch& batch, std::size_t e,
                std::span<const double> marginals, double elbo, std::span<const double> v, double w,
                const LayerDerivatives& out) {
  const LayerElement<M> element(structure, batch, e);
  const double beta = element.beta;
  const std::span<const double> x = row_of(marginals, e, element.model.size());
  require_inside(element.box, x);
  const LayerPoint<M> at(element.model, x);
  const std::vector<double> direct = at.derivatives.in_parameters(x);
  const double along = dot_of(direct, v);                           // dm/dtheta . v
  std::vector<double> slope = at.derivatives.gradient_along(x, v);  // of that in x, m being linear
  for (Index i = 0; i < x.size(); ++i) slope[i] = elbo * (beta * slope[i] + w * at.gradient[i]);
  MarginalGradient result;
  if (any_slope(slope)) result = through_marginals(at, element, x, slope);
  const std::span<double> parameters =
      row_of(out.parameters, e, out.parameters.size() / batch.count);
  for (std::size_t p = 0; p < parameters.size(); ++p)
    parameters[p] = elbo * w * direct[p] + (result.parameters.empty() ? 0 : result.parameters[p]);
  out.inverse_temperature[e] = result.inverse_temperature + elbo * along;
  out.elbo_slope[e] = beta * along + at.value * w;
}

}  // namespace surefield::detail
