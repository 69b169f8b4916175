#include "surefield/io/baskets/set_builder.hpp"

namespace surefield {

void SetBuilder::add(std::uint32_t item) {
  if (item >= last_set_with_.size()) last_set_with_.resize(item + Index{1}, 0);
  if (last_set_with_[item] == mark_) {
    ++data_.repeated_items;
    return;
  }
  last_set_with_[item] = mark_;
  open_.push_back(item);
}

void SetBuilder::close() {
  data_.sets.emplace_back(open_.begin(), open_.end());
  open_.clear();
  ++mark_;
}

void SetBuilder::open_order(std::string_view order) {
  if (any_order_ && order == order_) return;
  close_order();
  any_order_ = true;
  order_ = order;
  const auto found = orders_.find(order);
  if (found == orders_.end()) {
    place_ = data_.sets.size();
    orders_.emplace(order, place_);
    data_.sets.emplace_back();
    return;
  }
  place_ = found->second;
  for (const std::uint32_t item : data_.sets[place_]) add(item);
}

void SetBuilder::close_order() {
  if (!any_order_) return;
  data_.sets[place_].assign(open_.begin(), open_.end());
  open_.clear();
  ++mark_;
}

}  // namespace surefield
