#include "surefield/bounds/log_z/exact/best_tuples.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "surefield/bounds/log_z/log_sum.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {
namespace {

using Item = std::uint32_t;

/// Steps of all searches together; more than the limit are refused.
struct StepCount {
  void add(std::size_t count) {
    steps += count;
    require(static_cast<double>(steps) <= limit, "exact flid: ", items, " free items in ",
            dimensions, " dimensions take more steps than the limit of ", limit);
    require(!budget->spent(), "exact flid: time ran out");
  }
  Index items, dimensions;
  double limit;
  const Budget* budget;
  std::atomic<std::size_t> steps = 0;
};

/// Goes through consistent tuples, dimension by dimension. Before log Z is known it adds up their
/// terms in `total`, after that the probabilities of the items in `with`, and in `on_top` those of
/// being the best of each dimension, if wanted.
class TupleSearch {
 public:
  TupleSearch(const BestRanks& ranking, const double* log_z, bool tops, StepCount& steps)
      : r_(ranking),
        steps_(&steps),
        log_z_(log_z),
        best_(ranking.dimensions),
        beaten_(ranking.dimensions),
        with(log_z ? ranking.items : 0),
        on_top(log_z && tops ? ranking.rank.size() : 0) {
    beaten_[0] = ranking.by_last;
  }

  void all() {
    search(0, 0);
    count_steps();
  }
  /// Those whose best item of dimension 0 is given; at least two dimensions.
  void of_first(Item best) {
    choose(0, best, r_.modular[best]);
    count_steps();
  }

 private:
  void count_steps() {
    steps_->add(uncounted_);
    uncounted_ = 0;
  }

  // beaten_[d] holds the items that lose to the best one of each dimension before d, in the order
  // of the last dimension; the chosen items are not among them and add log_term together.
  void search(Index d, double log_term) {
    uncounted_ += beaten_[d].size() + 1;
    if (uncounted_ > 10000) count_steps();
    if (d + 1 == r_.dimensions) return scan(d, log_term);
    for (Index k = 0; k < beaten_[d].size(); ++k) {
      const Item best = beaten_[d][k];
      choose(d, best, log_term + r_.modular[best]);
    }
    const Index count = chosen_.size();
    for (Index k = 0; k < count; ++k) choose(d, chosen_[k], log_term);
  }

  void choose(Index d, Item best, double log_term) {
    const Item rank = r_.rank_of(best, d);
    for (const Item c : chosen_)
      if (r_.rank_of(c, d) > rank) return;
    auto& next = beaten_[d + 1];
    next.clear();
    for (const Item j : beaten_[d])
      if (r_.rank_of(j, d) < rank) next.push_back(j);
    const bool is_new = std::ranges::find(chosen_, best) == chosen_.end();
    if (is_new) chosen_.push_back(best);
    best_[d] = best;
    search(d + 1, log_term + r_.worth_of(best, d));
    if (is_new) chosen_.pop_back();
  }

  // The best of the last dimension is the highest chosen item, or any beaten item above that one.
  void scan(Index d, double log_term) {
    const auto& items = beaten_[d];
    double log_free = 0;
    Index k = 0;
    double top = 0;  // probability that it is a chosen item
    if (!chosen_.empty()) {
      const auto rank = [&](Item c) { return r_.rank_of(c, d); };
      const Item best = *std::ranges::max_element(chosen_, {}, rank);
      for (; k < items.size() && rank(items[k]) < rank(best); ++k)
        log_free += r_.log_free[items[k]];
      best_[d] = best;
      top = settle(log_term + r_.worth_of(best, d) + log_free);
    }
    const Index first = k;
    probability_.resize(items.size());
    for (; k < items.size(); ++k) {
      const Item j = items[k];
      probability_[k] = settle(log_term + r_.worth_of(j, d) + r_.modular[j] + log_free);
      log_free += r_.log_free[j];
    }
    if (!log_z_) return;
    double above = 0;  // probability that the best is one further up
    for (k = items.size(); k-- > first;) {
      with[items[k]].add(probability_[k] + above * r_.in_if_free[items[k]]);
      above += probability_[k];
    }
    if (!on_top.empty()) {
      for (k = first; k < items.size(); ++k) count_top(items[k], d, probability_[k]);
      if (!chosen_.empty()) count_top(best_[d], d, top);
      for (Index e = 0; e < d; ++e) count_top(best_[e], e, above + top);
    }
    above += top;
    for (k = 0; k < first; ++k) with[items[k]].add(above * r_.in_if_free[items[k]]);
    for (const Item c : chosen_) with[c].add(above);
  }

  void count_top(Item i, Index d, double probability) {
    on_top[i * r_.dimensions + d].add(probability);
  }

  double settle(double term) {
    if (log_z_) return std::exp(term - *log_z_);
    total.add(term);
    return 0;
  }

  const BestRanks& r_;
  StepCount* steps_;
  std::size_t uncounted_ = 0;
  const double* log_z_;
  std::vector<Item> chosen_;  // each once
  std::vector<Item> best_;    // of each dimension decided
  std::vector<std::vector<Item>> beaten_;
  std::vector<double> probability_;

 public:
  LogSum total;
  std::vector<CompensatedSum> with;
  std::vector<CompensatedSum> on_top;  // item by item, as the weights
};

constexpr Index kTupleShares = 64;  // whatever the number of threads

/// The best items of dimension 0 are shared among so many searches; one for all if that is the only dimension.
std::vector<TupleSearch> search_all(const BestRanks& ranking, const double* log_z,
                                    const FlidExactOptions& options, bool tops = false) {
  StepCount steps{ranking.items, ranking.dimensions, options.limit, &options.budget, 0};
  const Index shares = ranking.dimensions == 1 ? 1 : std::min(kTupleShares, ranking.items);
  const auto dimensions = static_cast<double>(ranking.dimensions);
  const double a_share = static_cast<double>(ranking.items) *
                         ((log_z && tops ? 20 : 4) * dimensions + (log_z ? 24 : 8));
  options.budget.require({.bytes = static_cast<double>(shares) * a_share}, "exact flid");
  std::vector<TupleSearch> searches(shares, TupleSearch(ranking, log_z, tops, steps));
  for_each_index(shares, options.budget.threads(), [&](std::size_t t) {
    if (ranking.dimensions == 1) return searches[t].all();
    for (Index best = t; best < ranking.items; best += shares)
      searches[t].of_first(static_cast<Item>(best));
  });
  return searches;
}

}  // namespace

BestRanks::BestRanks(const DenseFacility& dense, Index added, const DenseFacility* other,
                     Index taken)
    : items(dense.items),
      dimensions(added + taken),
      modular(dense.modular),
      worth(dense.items * dimensions),
      rank(dense.items * dimensions) {
  std::vector<Item> order(items);
  for (Item i = 0; i < items; ++i) order[i] = i;
  for (Index d = 0; d < dimensions; ++d) {
    const bool adds = d < added;
    const auto weight = [&](Item i) { return adds ? dense.row(i)[d] : other->row(i)[d - added]; };
    std::ranges::sort(order, [&](Item a, Item b) {
      return weight(a) < weight(b) || (weight(a) == weight(b) && a < b);
    });
    for (Item r = 0; r < items; ++r) {
      rank[order[r] * dimensions + d] = r;
      worth[order[r] * dimensions + d] = adds ? weight(order[r]) : -weight(order[r]);
    }
  }
  by_last = std::move(order);
  for (const double u : modular) {
    log_free.push_back(softplus(u));
    in_if_free.push_back(sigmoid(u));
  }
}

double log_z_of_tuples(const BestRanks& ranks, const FlidExactOptions& options) {
  if (ranks.dimensions == 0) {
    CompensatedSum sum;
    for (const double log_free : ranks.log_free) sum.add(log_free);
    return sum.value();
  }
  LogSum total;
  total.add(0);  // no free item at all
  for (const TupleSearch& search : search_all(ranks, nullptr, options))
    total.add(search.total.log());
  return total.log();
}

TupleProbabilities probabilities_of_tuples(const BestRanks& ranks, double log_z, bool best,
                                           const FlidExactOptions& options) {
  if (ranks.dimensions == 0) return {.in = ranks.in_if_free, .best = {}};
  TupleProbabilities result{.in = std::vector<double>(ranks.items, 0),
                            .best = std::vector<double>(best ? ranks.rank.size() : 0, 0)};
  for (const TupleSearch& search : search_all(ranks, &log_z, options, best)) {
    for (Index i = 0; i < ranks.items; ++i) result.in[i] += search.with[i].value();
    for (Index k = 0; k < result.best.size(); ++k) result.best[k] += search.on_top[k].value();
  }
  return result;
}

}  // namespace surefield
