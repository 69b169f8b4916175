// Any set function, known only by calling it.
//
//   F(S) = function(S)
//   m(x) ~ mean_k F(S_k)                           over K sampled sets, core/sampled_sets.hpp
//   g_i(x) ~ mean_k F(S_k + i) - F(S_k - i)
//
// The state *estimates* the multilinear extension: unbiased, exact at the corners of the cube.
// Hoeffding: the mean of K draws from an interval of length r is off by more than e with
// probability at most 2 exp(-2 K e^2 / r^2). (The factor 2 is for the two sides; with |F| <= B a
// value has r = 2B, a gain r = 4B.)
//
// Cost: value one call per distinct set that has changed since the last question; partial one call
// more per distinct set; set O(K); memory K n bits. The function must be deterministic; it is
// called from the thread that asks, one call at a time. A function of many sets at once (`batch`) is
// asked once a question instead; one that knows gains (`own_gain`) is asked for those.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/sampled_sets.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

struct BlackBox {
  static constexpr std::string_view kKind = "black-box";
  static constexpr bool kEstimated = true;  ///< states are sample means, not exact extensions
  class State;
  class Set;

  Index items = 0;
  std::function<double(Subset)> function;
  Index samples = 1000;
  std::uint64_t seed = 1;
  double bound = kInfinity;  ///< promised for |F|; a call that breaks the promise is refused
  /// F of several sets, one after the other in `rows`, instead of `function`; optional.
  std::function<void(std::span<const std::uint8_t> rows, std::span<double> values)> batch = {};
  /// F(S + i) - F(S - i), where that is cheaper than two values; optional. It must agree with F.
  std::function<double(Subset, Index)> own_gain = {};

  Index size() const { return items; }
  /// One call of the function. Throws Error naming the set if the answer is not finite or breaks
  /// the bound.
  double evaluate(Subset chosen) const;
  /// The same of the sets that stand one after the other in `rows`, by one call of `batch` where there is one.
  void evaluate_many(std::span<const std::uint8_t> rows, std::span<double> values) const;
  /// F(S + i) - F(S - i), whose value F(S) may be known.
  double gain(std::vector<std::uint8_t>& chosen, Index i, double value) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
};

/// The mean of F over the sampled sets. Questions refresh what has changed, so one state must not
/// be asked by two threads at once; copies are independent. The same point gives the same bits,
/// whatever moves led to it.
class BlackBox::State {
 public:
  State(const BlackBox& model, std::span<const double> x);

  Index size() const { return sets_.size(); }
  double coordinate(Index i) const { return sets_.coordinate(i); }
  double partial(Index i) const;
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v) {
    sets_.set(i, v, [this](Index k) { stale_[k] = 1, any_stale_ = true; });
  }

 private:
  void refresh() const;

  const BlackBox* model_;
  SampledSets sets_;
  mutable std::vector<std::uint8_t> stale_;
  mutable bool any_stale_ = true;
  mutable std::vector<Index> twin_;     // the first sample with the same set
  mutable std::vector<double> values_;  // F of every sample
};

/// value one call, remembered until the set changes; gain one call more; add and remove none.
class BlackBox::Set {
 public:
  explicit Set(const BlackBox& model) : model_(&model), chosen_(model.items, 0) {}

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const;
  double value() const;
  void add(Index i) { put(i, 1); }
  void remove(Index i) { put(i, 0); }

 private:
  void put(Index i, std::uint8_t in) {
    if (chosen_[i] == in) return;
    chosen_[i] = in;
    value_.reset();
  }

  const BlackBox* model_;
  std::vector<std::uint8_t> chosen_;
  mutable std::optional<double> value_;
};

/// Throws Error without a function or with no samples.
BlackBox make_black_box(Index items, std::function<double(Subset)> function, Index samples,
                        std::uint64_t seed = 1);

/// How good an estimate has to be.
struct SamplingAccuracy {
  double bound;  ///< |F(S)| <= bound for every S; checked at each call
  double error;  ///< tolerated, of the value and of each partial
  double confidence =
      0.95;  ///< that one value or one partial at one point chosen beforehand is within the error
};

/// As many samples as the accuracy asks for, by the range 4 * bound of a gain, so that partials are
/// covered and values, of range 2 * bound, all the more. The confidence is for each number alone:
/// for the value and all n partials together ask for 1 - (1 - confidence) / (n + 1). It does not
/// cover points chosen by looking at these same samples, as an optimiser does.
BlackBox make_black_box(Index items, std::function<double(Subset)> function,
                        const SamplingAccuracy& accuracy, std::uint64_t seed = 1);

/// The smallest k >= 1 with 2 exp(-2 k error^2 / range^2) <= 1 - confidence (two-sided Hoeffding).
/// Throws Error unless range is finite and >= 0, error > 0 and 0 <= confidence < 1.
Index hoeffding_samples(double range, double error, double confidence);

/// A spot check, not a proof: looks at 200 random (S, i, j) and names the first where i and j
/// together add more than apart. Nothing found does not mean that F is submodular.
std::optional<std::string> submodularity_violation(const BlackBox& model);

/// Submodular by assumption, unless the spot check refutes it; see black_box_facts.cpp. 2 n + 2
/// calls and those of the check.
Facts facts_of(const BlackBox& model);

}  // namespace surefield
