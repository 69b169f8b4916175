#include "surefield/learn/thin_fit.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/field_likelihood.hpp"
#include "surefield/learn/modular_non_empty.hpp"
#include "surefield/learn/pseudo_likelihood.hpp"
#include "surefield/learn/thin_support.hpp"

namespace surefield {
namespace {

constexpr Index kWidest = 15;

void require_thin(const ThinFitOptions& options) {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  require(options.width >= 1 && options.width <= kWidest, "thin: the width is ", options.width,
          ", which must be from 1 to ", kWidest);
  require(options.share >= 0 && options.share <= 1, "thin: the share of the pseudo-likelihood is ",
          options.share, ", which must be from 0 to 1");
  require(positive(options.penalty), "thin: the penalty is ", options.penalty,
          ", which must be finite and > 0");
  require(positive(options.smoothing), "thin: the smoothing is ", options.smoothing,
          ", which must be finite and > 0");
}

}  // namespace

ThinFit fit_thin(const SetCollection& data, const ThinFitOptions& options) {
  require_thin(options);
  const FlatSets flat = flat_sets(data);
  bool has_empty = false;
  for (Index k = 0; k < flat.size(); ++k) has_empty |= flat[k].empty();
  const DistinctSets sets = distinct_sets(flat);
  const Flid items = fit_items_alone(data, options.smoothing);
  const std::vector<double> alone = chances(items);
  const auto [gains, price] = priced_gains(sets, alone, !has_empty, options.budget);
  const PairSupport support = thin_support(gains, data.items, options.width, price);
  FieldLikelihood loss(sets, support, options.smoothing, !has_empty);
  const PseudoLikelihood pseudo(sets, support, options.smoothing, !has_empty,
                                control_plan(sets, support, options.most_work), options.crew);

  ThinFit result;
  result.pairs = support.pairs();
  result.table = loss.width();
  result.operations =
      (options.share < 1 ? loss.operations() : 0) + (options.share > 0 ? pseudo.operations() : 0);
  // An iteration is an evaluation as a rule.
  const std::size_t iterations =
      paid_rounds(options.work, result.operations, options.iterations, "iterations");
  std::vector<double> theta = items.utility;
  theta.resize(loss.parameters(), 0.0);
  // Curvatures where items are by themselves scale the parameters.
  const double total = loss.sets() + 2 * options.smoothing;
  std::vector<double> scale(theta.size());
  for (Index i = 0; i < data.items; ++i) {
    scale[i] = alone[i] * (1 - alone[i]);
    for (auto e = support.start[i]; e < support.start[i + 1]; ++e) {
      const double both = alone[i] * alone[support.neighbour[e]];
      scale[data.items + support.pair[e]] = both * (1 - both) + options.penalty / total;
    }
  }
  for (double& part : scale) part = 1 / std::sqrt(std::max(part, 1e-12));
  bool stopped = false;
  std::vector<double> point(theta.size()), part(theta.size());
  const auto function = [&](std::span<const double> x, std::span<double> gradient) {
    for (Index k = 0; k < x.size(); ++k) point[k] = scale[k] * x[k];
    double value = 0;
    std::ranges::fill(gradient, 0.0);
    const auto add = [&](auto& of, double share) {
      if (share == 0) return;
      value += share / total * of(point, part, options.penalty, options.budget);
      for (Index k = 0; k < x.size(); ++k) gradient[k] += scale[k] * share / total * part[k];
    };
    add(loss, 1 - options.share);
    add(pseudo, options.share);
    ++result.evaluations;
    if (options.observer && !std::isnan(value))
      stopped = !options.observer(result.evaluations, -value);
    return value;
  };
  for (Index k = 0; k < theta.size(); ++k) theta[k] /= scale[k];
  const LbfgsReport report = minimise(std::move(theta), function,
                                      {.iterations = iterations,
                                       .gradient = 1e-3 * options.tolerance,
                                       .progress = options.tolerance,
                                       .by_halves = true,
                                       .budget = options.budget.asking([&] { return !stopped; })});
  for (Index k = 0; k < point.size(); ++k) point[k] = scale[k] * report.point[k];
  result.model = field_of(point, support);
  result.objective = -report.value;
  result.status = stopped || options.budget.spent() ? Status::kInterrupted : report.status;
  result.unpaid = report.status == Status::kEpochLimit && iterations < options.iterations;
  result.log_z =
      eliminate(AnyModel(result.model), nullptr, {.limit = result.table, .marginals = false}).log_z;
  return result;
}

}  // namespace surefield
