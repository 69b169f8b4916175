#include "surefield/models/facility_location/facility_location.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

/// The items that can matter to a customer, in ascending order of benefit, ties by item. An item of
/// benefit 0 does not matter, as the best of no item is 0 too, unless there are benefits below 0:
/// then every item does, listed or not.
std::vector<Entry> ranked_items(Index items, const std::vector<Entry>& customer) {
  std::vector<Entry> ranked = customer;
  if (std::ranges::any_of(customer, [](const Entry& entry) { return entry.value < 0; })) {
    std::vector<std::uint8_t> listed(items, 0);
    for (const Entry& entry : customer) listed[entry.index] = 1;
    for (std::uint32_t i = 0; i < items; ++i)
      if (!listed[i]) ranked.push_back({i, 0});
  } else {
    std::erase_if(ranked, [](const Entry& entry) { return entry.value == 0; });
  }
  std::ranges::sort(ranked, [](const Entry& a, const Entry& b) {
    return a.value < b.value || (a.value == b.value && a.index < b.index);
  });
  return ranked;
}

}  // namespace

double FacilityLocation::evaluate(Subset chosen) const {
  CompensatedSum sum;
  Index count = 0;
  for (Index i = 0; i < size(); ++i) {
    if (!chosen[i]) continue;
    sum.add(-cost[i]);
    ++count;
  }
  for (Index d = 0; d < benefit.groups(); ++d) {
    Index listed = 0;
    double best = -kInfinity;
    for (const auto& [item, weight] : benefit.of_group(d)) {
      if (!chosen[item]) continue;
      best = std::max(best, weight);
      ++listed;
    }
    if (listed < count || count == 0) best = std::max(best, 0.0);  // an item not listed, or no item
    sum.add(best);
  }
  return sum.value();
}

FacilityLocation::State FacilityLocation::at(std::span<const double> x) const& {
  return {*this, x};
}
FacilityLocation::Set FacilityLocation::empty_set() const& { return Set(*this); }

FacilityLocation::State::State(const FacilityLocation& model, std::span<const double> x)
    : model_(&model), x_(x.begin(), x.end()) {
  model.forest.build(x, maps_, served_);
}

void FacilityLocation::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = -model_->cost[i];
  model_->forest.add_gradient(maps_, out);
}

double FacilityLocation::State::value() const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i) sum.add(-model_->cost[i] * x_[i]);
  for (const double served : served_) sum.add(served);
  return sum.value();
}

FacilityLocation::StatePair::StatePair(const State& first, const State& second)
    : model_(first.model_),
      x_(first.size()),
      maps_(first.maps_.size()),
      served_(first.served_.size()) {
  SUREFIELD_ASSERT(first.model_ == second.model_);
  for (Index i = 0; i < x_.size(); ++i) x_[i] = TwoLanes{first.x_[i], second.x_[i]};
  for (std::size_t k = 0; k < maps_.size(); ++k)
    maps_[k] = {TwoLanes{first.maps_[k].slope, second.maps_[k].slope},
                TwoLanes{first.maps_[k].shift, second.maps_[k].shift}};
  for (Index d = 0; d < served_.size(); ++d)
    served_[d] = TwoLanes{first.served_[d], second.served_[d]};
}

std::array<double, 2> FacilityLocation::StatePair::values() const {
  std::array<CompensatedSum, 2> sums;
  for (int lane = 0; lane < 2; ++lane) {
    for (Index i = 0; i < size(); ++i) sums[lane].add(-model_->cost[i] * x_[i][lane]);
    for (const TwoLanes& served : served_) sums[lane].add(served[lane]);
  }
  return {sums[0].value(), sums[1].value()};
}

FacilityLocation::Set::Set(const FacilityLocation& model)
    : model_(&model),
      chosen_(model.size(), 0),
      listed_(model.forest.entries() / 64 + 1, 0),
      best_(model.forest.lists()) {}

double FacilityLocation::Set::gain(Index i) const {
  CompensatedSum sum;
  sum.add(-model_->cost[i]);
  for (const AffineLeaf& leaf : model_->forest.of_item(i)) {
    const Best& best = best_[leaf.list];
    const Place other = best.first.rank_plus_one == leaf.rank + 1 ? best.second : best.first;
    if (leaf.rank + 1 > other.rank_plus_one) sum.add(leaf.weight - other.weight);
  }
  return sum.value();
}

double FacilityLocation::Set::value() const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen_[i]) sum.add(-model_->cost[i]);
  for (const Best& best : best_) sum.add(best.first.weight);
  return sum.value();
}

void FacilityLocation::Set::add(Index i) {
  if (chosen_[i]) return;
  chosen_[i] = 1;
  for (const AffineLeaf& leaf : model_->forest.of_item(i)) {
    const std::size_t bit = model_->forest.first_entry(leaf.list) + leaf.rank;
    listed_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    auto& [first, second] = best_[leaf.list];
    const Place place{leaf.rank + 1, leaf.weight};
    if (place.rank_plus_one > first.rank_plus_one) {
      second = first;
      first = place;
    } else if (place.rank_plus_one > second.rank_plus_one) {
      second = place;
    }
  }
}

void FacilityLocation::Set::remove(Index i) {
  if (!chosen_[i]) return;
  chosen_[i] = 0;
  for (const AffineLeaf& leaf : model_->forest.of_item(i)) {
    const std::size_t bit = model_->forest.first_entry(leaf.list) + leaf.rank;
    listed_[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
    auto& [first, second] = best_[leaf.list];
    if (leaf.rank + 1 < second.rank_plus_one) continue;
    if (leaf.rank + 1 == first.rank_plus_one) first = second;
    if (first.rank_plus_one > 0) second = highest_below(leaf.list, first.rank_plus_one - 1);
  }
}

FacilityLocation::Set::Place FacilityLocation::Set::highest_below(Index customer,
                                                                  std::uint32_t rank) const {
  const std::size_t start = model_->forest.first_entry(customer);
  std::size_t end = start + rank;  // look in [start, end), a word at a time from the top
  while (end > start) {
    const std::size_t word = (end - 1) / 64;
    std::uint64_t bits = listed_[word];
    if (end % 64 != 0) bits &= (std::uint64_t{1} << (end % 64)) - 1;
    if (bits != 0) {
      const std::size_t found = word * 64 + static_cast<std::size_t>(std::bit_width(bits)) - 1;
      if (found < start) return {};
      return {static_cast<std::uint32_t>(found - start) + 1,
              model_->forest.of_list(customer)[found - start].value};
    }
    end = word * 64;
  }
  return {};
}

FacilityLocation make_facility_location(std::vector<double> cost,
                                        std::span<const std::vector<Entry>> customers) {
  const Index n = cost.size();
  double total = 0;  // of all sizes: while it is finite, no value, partial or gain can overflow
  for (Index i = 0; i < n; ++i) {
    require(std::isfinite(cost[i]), "facility location: item ", i, " has cost ", cost[i],
            ", which must be finite");
    total += std::abs(cost[i]);
  }
  std::vector<Index> last_customer(n, customers.size());
  for (Index d = 0; d < customers.size(); ++d)
    for (const auto& [item, weight] : customers[d]) {
      require(item < n, "facility location: customer ", d, " lists item ", item, ", but there are ",
              n, " items, numbered from 0");
      require(last_customer[item] != d, "facility location: customer ", d, " lists item ", item,
              " twice");
      last_customer[item] = d;
      require(std::isfinite(weight), "facility location: customer ", d, " gives item ", item,
              " benefit ", weight, ", which must be finite");
      total += std::abs(weight);
    }
  require(std::isfinite(total), "facility location: the sizes of all costs and benefits add up to ",
          total, ", which must be finite");
  std::vector<std::vector<Entry>> ranked;
  ranked.reserve(customers.size());
  for (const auto& customer : customers) ranked.push_back(ranked_items(n, customer));
  FacilityLocation model;
  model.benefit = Incidence(n, customers);
  model.forest = AffineForest(n, ranked);
  model.cost = std::move(cost);
  return model;
}

std::optional<std::string> submodularity_violation(const FacilityLocation& model) {
  if (model.size() < 2) return std::nullopt;
  for (Index d = 0; d < model.benefit.groups(); ++d)
    for (const auto& [item, weight] : model.benefit.of_group(d))
      if (weight < 0)
        return message("customer ", d, " gives item ", item, " benefit ", weight,
                       ", which must be >= 0: the best of no item is 0");
  return std::nullopt;
}

void FacilityLocation::show_terms(TermVisitor& visitor, double weight) const {
  for (Index i = 0; i < size(); ++i) visitor.linear(i, -weight * cost[i]);
  for (Index d = 0; d < forest.lists(); ++d) visitor.best(forest.of_list(d), weight);
}

}  // namespace surefield
