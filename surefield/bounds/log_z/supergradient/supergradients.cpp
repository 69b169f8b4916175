#include "surefield/bounds/log_z/supergradient/supergradients.hpp"

#include <cmath>
#include <utility>

#include "surefield/bounds/log_z/supergradient/cut_function.hpp"
#include "surefield/bounds/log_z/supergradient/min_norm_point.hpp"
#include "surefield/bounds/log_z/witness.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

void flip(AnySet& set, Index i) {
  if (set.contains(i))
    set.remove(i);
  else
    set.add(i);
}

}  // namespace

Supergradients::Supergradients(AnyModel model, const Box* box, double beta, Budget budget)
    : model_(std::move(model)),
      beta_(beta),
      budget_(std::move(budget)),
      fixed_(free_items(box, model_.size(), "supergradient bound")),
      start_(model_.empty_set()),
      low_(model_.size(), 0),
      high_(model_.size(), 0) {
  require_positive_inverse_temperature(beta, "supergradient bound");
  const auto violation = submodularity_violation(model_);
  require(!violation.has_value(), "supergradient bound: ", violation.value_or(""));
  for (const Index i : fixed_.in) start_.add(i);
  AnySet full = start_;
  for (const Index i : fixed_.free) full.add(i);
  const Facts facts = model_.facts().times(beta);
  for (const Index i : fixed_.free) {
    low_[i] = beta * full.gain(i);
    high_[i] = beta * start_.gain(i);
    require_falling_gain(i, high_[i], low_[i], facts);
  }
  margin_ = facts.value_error + facts.gain_error_sum;  // softplus never magnifies an error
}

SupergradientBound Supergradients::at(Supergradient kind, Subset chosen) const {
  require(chosen.size() == model_.size(), "supergradient bound: the set has ", chosen.size(),
          " items, which must be ", model_.size());
  AnySet set = start_;
  for (const Index i : fixed_.free)
    if (chosen[i]) set.add(i);
  return at(kind, set);
}

SupergradientBound Supergradients::bar() const {
  const Index n = model_.size();
  std::vector<double> extra(n, 0);  // what i in A adds to the bound beside F
  for (const Index i : fixed_.free) extra[i] = softplus(-low_[i]) - softplus(high_[i]);
  CutFunction cut(fixed_.value);
  if (add_to_cut(cut, model_, beta_)) {
    for (const Index i : fixed_.free) cut.add_linear(static_cast<std::uint32_t>(i), extra[i]);
    SupergradientBound bound = at(Supergradient::kBar, cut.minimiser());
    bound.best = true;
    return bound;
  }
  const auto& free = fixed_.free;
  const MinNormReport found =
      minimise_submodular(free.size(),
                          [&](std::span<const Index> order, std::span<double> gains) {
                            AnySet set = start_;
                            for (Index k = 0; k < order.size(); ++k) {
                              const Index i = free[order[k]];
                              gains[k] = beta_ * set.gain(i) + extra[i];
                              set.add(i);
                            }
                          },
                          {.budget = budget_});
  std::vector<std::uint8_t> chosen(n, 0);
  for (Index k = 0; k < free.size(); ++k) chosen[free[k]] = found.set[k];
  SupergradientBound bound = at(Supergradient::kBar, chosen);
  bound.best = found.status == Status::kConverged;
  return bound;
}

SupergradientBound Supergradients::local_search(Supergradient kind, Subset chosen,
                                                std::size_t sweeps) const {
  SupergradientBound best = at(kind, chosen);
  AnySet set = start_;
  for (const Index i : fixed_.free)
    if (chosen[i]) set.add(i);
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    bool moved = false;
    for (const Index i : fixed_.free) {
      if (budget_.spent()) return at(kind, best.set);
      flip(set, i);
      SupergradientBound now = at(kind, set);
      if (now.log_z_upper < best.log_z_upper) {
        best = std::move(now);
        moved = true;
      } else {
        flip(set, i);
      }
    }
    if (!moved) break;
  }
  return at(kind, best.set);  // afresh: the set on the way may carry rounding of its moves
}

SupergradientBound Supergradients::search(Supergradient kind, std::size_t sweeps) const {
  const std::vector<std::uint8_t> none(model_.size(), 0), all(model_.size(), 1);
  SupergradientBound best = local_search(kind, bar().set, sweeps);
  for (const auto* from : {&none, &all}) {
    SupergradientBound now = local_search(kind, *from, sweeps);
    if (now.log_z_upper < best.log_z_upper) best = std::move(now);
  }
  return best;
}

SupergradientBound Supergradients::at(Supergradient kind, const AnySet& set) const {
  SupergradientBound bound;
  bound.set.resize(model_.size());
  const double value = beta_ * set.value();
  CompensatedSum sum;
  double sizes = std::abs(value);
  sum.add(value);
  for (Index i = 0; i < bound.set.size(); ++i) bound.set[i] = set.contains(i);
  for (const Index i : fixed_.free) {
    const double term =
        bound.set[i] ? softplus(-(kind == Supergradient::kShrink ? beta_ * set.gain(i) : low_[i]))
                     : softplus(kind == Supergradient::kGrow ? beta_ * set.gain(i) : high_[i]);
    sum.add(term);
    sizes += term;
  }
  const double upper = sum.value() + margin_ + gamma_of(16) * sizes;
  if (!std::isnan(upper)) bound.log_z_upper = upper;  // else beyond a double: no bound
  return bound;
}

}  // namespace surefield
