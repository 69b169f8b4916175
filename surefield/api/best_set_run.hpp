// One run of best_set: sets in the problem's variables, sizes in the user's. Of any size: best_set.cpp; of at most k items:
// best_set_within_size.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/api/best_set.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

inline constexpr double kManyGains = 2e6;  ///< of exchanges, and of annealing

class BestSetRun {
 public:
  /// Throws Error for a box that is not of sets, and for more items that must be in than may be.
  BestSetRun(const Problem& problem, const BestSetOptions& options);
  BestSetResult operator()();

 private:
  bool flipped(Index i) const { return !problem_.flips.empty() && problem_.flips[i] != 0; }
  bool is_in(const AnySet& set, Index i) const { return set.contains(i) != flipped(i); }
  Index size_of_set(const AnySet& set) const;
  void put(AnySet& set, Index i, bool in) const { in != flipped(i) ? set.add(i) : set.remove(i); }
  /// What it adds to F that the user's item i is in.
  double gain(const AnySet& set, Index i) const { return flipped(i) ? -set.gain(i) : set.gain(i); }
  bool go_on() const { return !options_.budget.spent(); }
  bool closed() const;

  /// Every item that must be in is, and no other of the user's.
  AnySet least() const;
  void consider(AnySet set, std::string_view by);
  /// An upper end; of an F of whole numbers the whole number below it.
  void at_most(End end);
  /// Every open item to its better side until none gains.
  AnySet climbed(AnySet set) const;
  AnySet rounded(const std::vector<double>& user_marginals) const;
  AnySet annealed(std::size_t sweeps, int run, const Budget& budget) const;
  void anneal();
  /// Longer and longer runs, as long as the budget lasts, a few at most.
  void anneal_on(const Budget& budget);

  /// So large that n log 2 / beta is far below the gap wanted, and no number overflows.
  double beta() const;
  /// An upper end: more + the maximum over all sets of the problem given, which is ours or has a price
  /// on items. The rounded mean field of it, where there is one.
  std::optional<AnySet> bound(const Problem& problem, double more, const Budget& budget,
                              bool certify);
  void bound_by_thresholds(const Budget& budget);
  /// The set that thresholds leave: what is worth something, the k most of it.
  AnySet worth_most(std::span<const double> worth) const;
  /// The semidefinite bound of many items and pairs, and the sides of random planes.
  void bound_by_spectrum(const Budget& budget);
  void of_any_size();

  void within_size();
  /// Down to the size by letting go of what gives least, again and again.
  AnySet trimmed(AnySet set) const;
  void exchange(AnySet set, std::string_view by);
  /// The guarantee of greedy, where F is proved submodular and monotone.
  void promise();
  /// The multiplier of the size: more than k items in the best set asks for a larger one.
  void bisect();
  /// A bound by F(S) - mu (|S| - k); the size of the set that is best for that, or nearly.
  Index bound_with(double mu, const Budget& budget, bool certify);
  void conclude();

  const Problem& problem_;
  const BestSetOptions& options_;
  const Facts& facts_;
  bool whole_;                          // F takes whole numbers alone
  std::optional<PairwiseField> field_;  // F itself, where it is items and pairs alone
  Stopwatch watch_;
  AnySet set_;
  std::vector<Index> open_;
  Index in_at_least_ = 0;
  bool found_ = false;
  Claim best_{"max F"};
  BestSetResult result_;
};

}  // namespace surefield
