// Facility location: every customer is served by the best of the chosen items.
//
//   F(S) = -sum_{i in S} cost_i + sum_d max_{i in S} w_id                   w >= 0: submodular
//   m(x) = -sum_i cost_i x_i + sum_d sum_l w_l x_l prod_{k>l} (1 - x_k)     multilinear extension
//   dm/dx_l = -cost_l + sum_d (w_l - e_{<l}) prod_{k>l} (1 - x_k)
//
// The best of no item is 0. Per customer the items l stand in ascending order of w, and e_{<l} is
// the expected best of those below l; l itself is neither in e_{<l} nor in the product.
// Exact where all x are 0 or 1; ties change nothing.
//
// Cost: partial and set O(sum over the item's customers of log of their items), gradient
// O(entries), value O(n + customers); memory 64 bytes per entry, a state 22. Items of benefit 0
// cost nothing, unless the customer has a benefit below 0, to which 0 is a better alternative.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/incidence.hpp"
#include "surefield/models/facility_location/affine_forest.hpp"
#include "surefield/models/facility_location/affine_paths.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct FacilityLocation {
  static constexpr std::string_view kKind = "facility-location";
  class State;
  class StatePair;
  class Set;

  std::vector<double> cost;  ///< of choosing item i; may be negative
  Incidence
      benefit;  ///< group = customer d, entries (item, w_id) as given; w_id = 0 where not listed
  AffineForest
      forest;  ///< derived by make_facility_location: per customer the items that matter, by weight

  Index size() const { return cost.size(); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const;
};

class FacilityLocation::State {
 public:
  using Pair = StatePair;

  State(const FacilityLocation& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const {
    return derivative(model_->forest, maps_, model_->forest.of_item(i), -model_->cost[i]);
  }
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v) {
    ahead_.foresee_rest(model_->forest, maps_);
    x_[i] = v;
    replace(model_->forest, maps_, model_->forest.of_item(i), v, served_);
  }
  void foresee(std::span<const Index> next) const {
    ahead_.foresee(model_->forest, maps_, next);
    if (next.size() > 1) prefetch_line(&x_[next[1]]), prefetch_line(&model_->cost[next[1]]);
  }

 private:
  const FacilityLocation* model_;
  std::vector<double> x_;
  AffineMaps maps_;
  std::vector<double> served_;  // expected best benefit of each customer
  mutable PathsAhead ahead_;    // no number depends on it

  friend class StatePair;
};

/// Two states of one model that are only ever moved to the same place, as in double greedy: in two
/// lanes of a vector, with the bits of two states.
class FacilityLocation::StatePair {
 public:
  StatePair(const State& first, const State& second);

  Index size() const { return x_.size(); }
  std::array<double, 2> coordinates(Index i) const { return {x_[i][0], x_[i][1]}; }
  std::array<double, 2> partials(Index i) const {
    const TwoLanes sum =
        derivative(model_->forest, maps_, model_->forest.of_item(i), TwoLanes{} - model_->cost[i]);
    return {sum[0], sum[1]};
  }
  std::array<double, 2> values() const;
  void set(Index i, double v) {
    ahead_.foresee_rest(model_->forest, maps_);
    x_[i] = TwoLanes{} + v;
    replace(model_->forest, maps_, model_->forest.of_item(i), v, served_);
  }
  void foresee(std::span<const Index> next) const {
    ahead_.foresee(model_->forest, maps_, next);
    if (next.size() > 1) prefetch_line(&x_[next[1]]), prefetch_line(&model_->cost[next[1]]);
  }

 private:
  const FacilityLocation* model_;
  std::vector<TwoLanes> x_;
  AffineMapsOf<TwoLanes> maps_;
  std::vector<TwoLanes> served_;
  mutable PathsAhead ahead_;
};

/// gain and add O(customers of the item), remove the same times a scan of at most items/64 words,
/// value O(n + customers).
class FacilityLocation::Set {
 public:
  explicit Set(const FacilityLocation& model);

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const;
  double value() const;
  void add(Index i);
  void remove(Index i);

 private:
  struct Place {  // in a customer's list; none is below all and worth 0
    std::uint32_t rank_plus_one = 0;
    double weight = 0;
  };
  struct Best {
    Place first, second;
  };
  Place highest_below(Index customer, std::uint32_t rank) const;

  const FacilityLocation* model_;
  std::vector<std::uint8_t> chosen_;
  std::vector<std::uint64_t>
      listed_;              // one bit per entry of the forest: whether its item is chosen
  std::vector<Best> best_;  // the two highest chosen items of each customer
};

/// One list of (item, benefit) per customer, in any order. Throws Error unless every number is
/// finite, their sizes add up to a finite number, and no customer lists an item twice.
FacilityLocation make_facility_location(std::vector<double> cost,
                                        std::span<const std::vector<Entry>> customers);

/// Why F may fail to be submodular, naming the customer and the item; nothing if all benefits are
/// >= 0 or n < 2.
std::optional<std::string> submodularity_violation(const FacilityLocation& model);

/// Sizes, rounding and submodularity, proved in facility_location_facts.cpp.
Facts facts_of(const FacilityLocation& model);

}  // namespace surefield
