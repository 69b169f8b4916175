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

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

enum class Supergradient { kBar, kGrow, kShrink };

struct SupergradientBound {
  double log_z_upper = kInfinity;
  std::vector<std::uint8_t> set;  ///< A, fixed items included
  bool best = false;              ///< no other A gives less, to rounding: bar only
};

/// The three bounds of one model at one temperature, for as many A as wanted.
class Supergradients {
 public:
  /// Throws Error for beta not finite and > 0, an interval that is not [0, 1], 0 or 1, and a model
  /// that is not submodular, with the reason; Contradiction where a gain on the full set is above
  /// the one on the empty set. A search ends early, with what it has, once the budget is spent.
  explicit Supergradients(AnyModel model, const Box* box = nullptr, double beta = 1,
                          Budget budget = {});

  /// The bound at A, whose fixed items are taken as fixed whatever A says.
  SupergradientBound at(Supergradient kind, Subset chosen) const;

  /// The best A of all.
  SupergradientBound bar() const;

  /// From A on, one item in or out at a time while the bound falls.
  SupergradientBound local_search(Supergradient kind, Subset chosen, std::size_t sweeps = 20) const;

  /// Local search from the empty set, the full one and the best A of bar; the least of the three.
  SupergradientBound search(Supergradient kind, std::size_t sweeps = 20) const;

 private:
  SupergradientBound at(Supergradient kind, const AnySet& set) const;

  AnyModel model_;
  double beta_;
  Budget budget_;
  FreeItems fixed_;
  AnySet start_;                    // the items that are in for sure
  std::vector<double> low_, high_;  // beta F(i | V - i), beta F(i | empty)
  double margin_ = 0;               // what the numbers of the model can be off, all together
};

}  // namespace surefield
