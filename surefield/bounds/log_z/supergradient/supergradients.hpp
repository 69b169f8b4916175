// Upper bounds of log Z by modular functions above F that touch it at a set A.
//
//   F(S) <= F(A) + s(S) - s(A) for every S       F submodular, and with slopes s_i
//
//                i in A            i not in A
//     bar        F(i | V - i)      F(i | empty)
//     grow       F(i | V - i)      F(i | A)
//     shrink     F(i | A - i)      F(i | empty)
//
//   log Z(beta) <= beta F(A) + sum_{i in A} sp(-beta s_i) + sum_{i not in A} sp(beta s_i)
//
// for every A, with sp(z) = log(1 + e^z). For bar the best A minimises a submodular function,
// beta F(A) + sum_A [sp(-beta F(i | V - i)) - sp(beta F(i | empty))]: by one minimum cut where F
// can be written as one (cut_function.hpp), by the minimum-norm point otherwise. For grow and
// shrink A is found by local search; any A is valid. With fixed items everything is meant given
// them: V is the free ones. Cost: bar 3 n gains and the minimisation; grow and shrink n^2 gains a
// sweep.
//
// R. Iyer, S. Jegelka, J. Bilmes. Fast Semidifferential-based Submodular Function Optimization.
// ICML 2013. J. Djolonga, A. Krause. From MAP to Marginals: Variational Inference in Bayesian
// Submodular Models. NIPS 2014. docs/log_z_bounds.md
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/bounds/log_z/accuracy.hpp"
#include "surefield/bounds/log_z/supergradient/cut_function.hpp"
#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/supergradient/min_norm_point.hpp"

namespace surefield {

enum class Supergradient { kBar, kGrow, kShrink };

struct SupergradientBound {
  double log_z_upper = kInfinity;
  std::vector<std::uint8_t> set;  ///< A, fixed items included
  bool best = false;              ///< no other A gives less, to rounding: bar only
};

/// The three bounds of one model at one temperature, for as many A as wanted.
template <Model M>
class Supergradients {
 public:
  /// Throws Error for beta not finite and > 0, an interval that is not [0, 1], 0 or 1, and a model
  /// that is not submodular, with the reason. The model must outlive this.
  explicit Supergradients(const M& model, const Box* box = nullptr, double beta = 1)
      : model_(&model),
        beta_(beta),
        fixed_(free_items(box, model.size(), "supergradient bound")),
        start_(model.empty_set()),
        low_(model.size(), 0),
        high_(model.size(), 0) {
    require_positive_inverse_temperature(beta, "supergradient bound");
    const auto violation = submodularity_violation(model);
    require(!violation.has_value(), "supergradient bound: ", violation.value_or(""));
    for (Index i = 0; i < model.size(); ++i)
      if (fixed_.value[i] == 1) start_.add(i);
    auto full = start_;
    for (const Index i : fixed_.free) full.add(i);
    for (const Index i : fixed_.free) {
      low_[i] = beta * full.gain(i);
      high_[i] = beta * start_.gain(i);
    }
    magnitude_ = beta * accuracy_of(model).magnitude + static_cast<double>(fixed_.free.size());
  }
  explicit Supergradients(const M&& model, const Box* box = nullptr, double beta = 1) = delete;

  /// The bound at A, whose fixed items are taken as fixed whatever A says.
  SupergradientBound at(Supergradient kind, Subset chosen) const {
    require(chosen.size() == model_->size(), "supergradient bound: the set has ", chosen.size(),
            " items, which must be ", model_->size());
    auto set = start_;
    for (const Index i : fixed_.free)
      if (chosen[i]) set.add(i);
    return at(kind, set);
  }

  /// The best A of all.
  SupergradientBound bar() const {
    const Index n = model_->size();
    std::vector<double> extra(n, 0);  // what i in A adds to the bound beside F
    for (const Index i : fixed_.free) extra[i] = softplus(-low_[i]) - softplus(high_[i]);
    CutFunction cut(fixed_.value);
    if (add_to_cut(cut, *model_, beta_)) {
      for (const Index i : fixed_.free) cut.add_linear(static_cast<std::uint32_t>(i), extra[i]);
      SupergradientBound bound = at(Supergradient::kBar, cut.minimiser());
      bound.best = true;
      return bound;
    }
    const auto& free = fixed_.free;
    const MinNormReport found = minimise_submodular(
        free.size(), [&](std::span<const Index> order, std::span<double> gains) {
          auto set = start_;
          for (Index k = 0; k < order.size(); ++k) {
            const Index i = free[order[k]];
            gains[k] = beta_ * set.gain(i) + extra[i];
            set.add(i);
          }
        });
    std::vector<std::uint8_t> chosen(n, 0);
    for (Index k = 0; k < free.size(); ++k) chosen[free[k]] = found.set[k];
    SupergradientBound bound = at(Supergradient::kBar, chosen);
    bound.best = found.status == Status::kConverged;
    return bound;
  }

  /// From A on, one item in or out at a time while the bound falls.
  SupergradientBound local_search(Supergradient kind, Subset chosen,
                                  std::size_t sweeps = 20) const {
    SupergradientBound best = at(kind, chosen);
    auto set = start_;
    for (const Index i : fixed_.free)
      if (chosen[i]) set.add(i);
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      bool moved = false;
      for (const Index i : fixed_.free) {
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

  /// Local search from the empty set, the full one and the best A of bar; the least of the three.
  SupergradientBound search(Supergradient kind, std::size_t sweeps = 20) const {
    const std::vector<std::uint8_t> none(model_->size(), 0), all(model_->size(), 1);
    SupergradientBound best = local_search(kind, bar().set, sweeps);
    for (const auto* from : {&none, &all}) {
      SupergradientBound now = local_search(kind, *from, sweeps);
      if (now.log_z_upper < best.log_z_upper) best = std::move(now);
    }
    return best;
  }

 private:
  template <class S>
  static void flip(S& set, Index i) {
    if (set.contains(i))
      set.remove(i);
    else
      set.add(i);
  }

  template <SetState S>
  SupergradientBound at(Supergradient kind, const S& set) const {
    SupergradientBound bound;
    bound.set.resize(model_->size());
    CompensatedSum sum;
    sum.add(beta_ * set.value());
    for (Index i = 0; i < bound.set.size(); ++i) bound.set[i] = set.contains(i);
    for (const Index i : fixed_.free) {
      if (bound.set[i])
        sum.add(softplus(-(kind == Supergradient::kShrink ? beta_ * set.gain(i) : low_[i])));
      else
        sum.add(softplus(kind == Supergradient::kGrow ? beta_ * set.gain(i) : high_[i]));
    }
    const double value = sum.value() + rounding_margin(fixed_.free.size(), magnitude_);
    if (!std::isnan(value)) bound.log_z_upper = value;  // else beyond a double: no bound
    return bound;
  }

  using Set = decltype(std::declval<const M&>().empty_set());

  const M* model_;
  double beta_;
  FreeItems fixed_;
  Set start_;                       // the items that are in for sure
  std::vector<double> low_, high_;  // beta F(i | V - i), beta F(i | empty)
  double magnitude_ = 0;
};

}  // namespace surefield
