#include "surefield/bounds/log_z/exact/flid_exact.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "surefield/bounds/log_z/exact/dense_facility.hpp"
#include "surefield/bounds/log_z/log_sum.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {
namespace {

using Item = std::uint32_t;

/// The items with their ranks in all dimensions, and what each is worth when it is free.
struct Ranking {
  /// Of the first `added` customers of one table the best is added, of the first `taken` of another, if
  /// there is one, it is taken away.
  Ranking(const DenseFacility& dense, Index added, const DenseFacility* other = nullptr,
          Index taken = 0)
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
  double worth_of(Item i, Index d) const { return worth[i * dimensions + d]; }
  Item rank_of(Item i, Index d) const { return rank[i * dimensions + d]; }

  Index items, dimensions;
  std::vector<double> modular;
  std::vector<double> worth;  // as the best of a dimension, item by item
  std::vector<Item> rank;
  std::vector<Item> by_last;       // all items, ascending in the last dimension
  std::vector<double> log_free;    // log(1 + e^{u'})
  std::vector<double> in_if_free;  // sigmoid(u')
};

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
  TupleSearch(const Ranking& ranking, const double* log_z, bool tops, StepCount& steps)
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

  const Ranking& r_;
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

/// One search for each best item of dimension 0, or one for all if that is the only dimension.
std::vector<TupleSearch> search_all(const Ranking& ranking, const double* log_z,
                                    const FlidExactOptions& options, bool tops = false) {
  StepCount steps{ranking.items, ranking.dimensions, options.limit, &options.budget, 0};
  const Index tasks = ranking.dimensions == 1 ? 1 : ranking.items;
  const double a_task = static_cast<double>(ranking.items) *
                        (tops ? 16.0 * static_cast<double>(ranking.dimensions) + 24 : 24);
  options.budget.require({.bytes = static_cast<double>(tasks) * a_task}, "exact flid");
  std::vector<TupleSearch> searches(tasks, TupleSearch(ranking, log_z, tops, steps));
  for_each_index(tasks, options.budget.threads(), [&](std::size_t t) {
    ranking.dimensions == 1 ? searches[t].all() : searches[t].of_first(static_cast<Item>(t));
  });
  return searches;
}

/// A term is e to a sum of at most 2 n weights and log(1 + e^u), one more a dimension; adding up terms of
/// one sign rounds a few times more.
double error_of_terms(const Facts& facts, Index n, Index dimensions, double log_z) {
  const auto items = static_cast<double>(n + dimensions);
  return facts.value_error + gamma_of(4 * items + 64) * (facts.magnitude + items) +
         gamma_of(64) * (1 + std::abs(log_z));
}

ExactLogZ exact_of(const Ranking& ranking, double value, const FreeItems& which,
                   const Facts& facts_of_beta, Index n, const FlidExactOptions& options) {
  ExactLogZ result;
  std::vector<double> free(ranking.items, 0);
  if (ranking.dimensions == 0) {
    CompensatedSum sum;
    for (const double log_free : ranking.log_free) sum.add(log_free);
    result.log_z = sum.value();
    free = ranking.in_if_free;
  } else {
    LogSum total;
    total.add(0);  // no free item at all
    for (const TupleSearch& search : search_all(ranking, nullptr, options))
      total.add(search.total.log());
    result.log_z = total.log();
    if (options.marginals)
      for (const TupleSearch& search : search_all(ranking, &result.log_z, options))
        for (Index k = 0; k < ranking.items; ++k) free[k] += search.with[k].value();
  }
  result.log_z += value;
  result.error = error_of_terms(facts_of_beta, n, ranking.dimensions, result.log_z);
  if (!options.marginals) return result;
  result.marginals.assign(n, 0);
  for (const Index i : which.in) result.marginals[i] = 1;
  for (Index k = 0; k < ranking.items; ++k)
    result.marginals[which.free[k]] = std::min(free[k], 1.0);
  return result;
}

ExactLogZ exact_of(const FacilityLocation& model, const Facts& facts, const Box* box,
                   const FlidExactOptions& options) {
  const FreeItems which = free_items(box, model.size(), "exact flid");
  require_inverse_temperature(options.beta, "exact flid");
  const DenseFacility dense = dense_facility(model, which, options.beta);
  return exact_of(Ranking(dense, model.benefit.groups()), dense.value, which,
                  facts.times(options.beta), model.size(), options);
}

FlidExactSlopes slopes_of(const Ranking& ranking, const FlidExactOptions& options) {
  FlidExactSlopes result;
  if (ranking.dimensions == 0) {
    CompensatedSum sum;
    for (const double log_free : ranking.log_free) sum.add(log_free);
    result.log_z = sum.value();
    result.marginals = ranking.in_if_free;
    return result;
  }
  LogSum total;
  total.add(0);
  for (const TupleSearch& search : search_all(ranking, nullptr, options))
    total.add(search.total.log());
  result.log_z = total.log();
  result.marginals.assign(ranking.items, 0);
  result.best.assign(ranking.items * ranking.dimensions, 0);
  for (const TupleSearch& search : search_all(ranking, &result.log_z, options, true)) {
    for (Index i = 0; i < ranking.items; ++i) result.marginals[i] += search.with[i].value();
    for (Index k = 0; k < result.best.size(); ++k) result.best[k] += search.on_top[k].value();
  }
  return result;
}

}  // namespace

ExactLogZ flid_exact(const FacilityLocation& model, const Box* box,
                     const FlidExactOptions& options) {
  return exact_of(model, AnyModel(model).facts(), box, options);
}

ExactLogZ flid_exact(const Flid& model, const Box* box, const FlidExactOptions& options) {
  return exact_of(model.facility, AnyModel(model).facts(), box, options);
}

ExactLogZ flid_exact(const Fldc& model, const Box* box, const FlidExactOptions& options) {
  const FreeItems which = free_items(box, model.size(), "exact flid");
  require_inverse_temperature(options.beta, "exact flid");
  const DenseFacility added = dense_facility(model.best_weight, which, options.beta);
  const DenseFacility taken = dense_facility(model.best_coherence, which, options.beta);
  const Ranking ranking(added, model.best_weight.benefit.groups(), &taken,
                        model.best_coherence.benefit.groups());
  return exact_of(ranking, added.value - taken.value, which,
                  AnyModel(model).facts().times(options.beta), model.size(), options);
}

FlidExactSlopes flid_exact_slopes(const Flid& model, const FlidExactOptions& options) {
  const FreeItems which = free_items(nullptr, model.size(), "exact flid");
  require_inverse_temperature(options.beta, "exact flid");
  const DenseFacility dense = dense_facility(model.facility, which, options.beta);
  return slopes_of(Ranking(dense, model.facility.benefit.groups()), options);
}

FlidExactSlopes flid_exact_slopes(const Fldc& model, const FlidExactOptions& options) {
  const FreeItems which = free_items(nullptr, model.size(), "exact fldc");
  require_inverse_temperature(options.beta, "exact fldc");
  const DenseFacility added = dense_facility(model.best_weight, which, options.beta);
  const DenseFacility taken = dense_facility(model.best_coherence, which, options.beta);
  return slopes_of(Ranking(added, model.best_weight.benefit.groups(), &taken,
                           model.best_coherence.benefit.groups()),
                   options);
}

}  // namespace surefield
