#include "surefield/core/order.hpp"

#include <algorithm>
#include <numeric>

#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

Order Order::natural(Index n) { return {Kind::kFixed, 0, {natural_order(n)}}; }

Order Order::shuffled(Index n, std::uint64_t seed) {
  return {Kind::kShuffled, seed, {natural_order(n)}};
}

Order Order::given(Index n, std::vector<std::vector<Index>> epochs) {
  require(!epochs.empty(), "order: no list of coordinates is given");
  std::vector<std::uint8_t> seen;
  for (const auto& list : epochs) {
    require(list.size() == n, "order: a list has ", list.size(), " coordinates, but there are ", n);
    seen.assign(n, 0);
    for (const Index i : list) {
      require(i < n, "order: coordinate ", i, " is not one of the ", n);
      require(!seen[i], "order: coordinate ", i, " is listed twice");
      seen[i] = 1;
    }
  }
  return {Kind::kFixed, 0, std::move(epochs)};
}

Order Order::coloured(Index n, Colouring colouring) {
  std::vector<std::vector<Index>> lists;  // no braces, which would copy
  lists.push_back(std::move(colouring.order));
  Order order = given(n, std::move(lists));
  const auto ascend_to = [](const std::vector<std::size_t>& ends, std::size_t last) {
    return std::is_sorted(ends.begin(), ends.end()) && (ends.empty() ? 0 : ends.back()) == last;
  };
  require(ascend_to(colouring.class_ends, n), "order: the ends of its classes must ascend to ", n);
  require(ascend_to(colouring.block_ends, colouring.class_ends.size()),
          "order: the ends of its blocks must ascend to the ", colouring.class_ends.size(),
          " classes");
  require(ascend_to(colouring.wave_ends, colouring.block_ends.size()),
          "order: the ends of its waves must ascend to the ", colouring.block_ends.size(),
          " blocks");
  colouring.order.clear();
  order.colouring_ = std::move(colouring);
  return order;
}

std::span<const Index> Order::epoch(std::size_t epoch) {
  if (kind_ == Kind::kFixed) return lists_[std::min(epoch, lists_.size() - 1)];
  auto& list = lists_.front();
  std::iota(list.begin(), list.end(), Index{0});
  Random random(seed_ ^ (0x9e3779b97f4a7c15U * (epoch + 1)));
  random.shuffle(std::span(list));
  return list;
}

}  // namespace surefield
