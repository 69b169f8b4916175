// How many leaves a tree has room for, and what becomes of the others: one interval, which holds the sum over all of them.
#include <algorithm>
#include <cmath>

#include "surefield/bounds/log_z/tree/log_z_tree.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

Index LogZTree::room(const Budget& budget) const {
  const double leaf = sizeof(Leaf) + 16.0 * static_cast<double>(words_) + sizeof(std::uint32_t);
  return static_cast<Index>(std::clamp(budget.bytes() / (2 * leaf), 16.0, 4e9));  // vectors double
}

void LogZTree::give_up(Index kept) {
  if (leaves_.size() <= kept) return;
  std::vector<std::uint32_t> order(leaves_.size());
  for (Index k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(kept);
  std::ranges::nth_element(order, end,
                           [&](std::uint32_t a, std::uint32_t b) { return comes_after(b, a); });
  std::vector<double> high, low;
  for (auto leaf = end; leaf != order.end(); ++leaf) {
    high.push_back(leaves_[*leaf].upper);
    low.push_back(leaves_[*leaf].lower);
  }
  // Every time they are moved outwards by more than the sums can have lost.
  const auto moved = [](double log) { return kRounding * (1 + std::abs(log)); };
  const double more = log_sum_exp(high), less = log_sum_exp(low);
  given_.high = log_add(given_.high, more + moved(more));
  given_.low = log_add(given_.low, less - moved(less));
  given_.high += moved(given_.high), given_.low -= moved(given_.low);
  given_up_ += high.size();
  std::sort(order.begin(), end);
  for (Index k = 0; k < kept; ++k) {
    leaves_[k] = leaves_[order[k]];
    std::copy_n(bits(order[k]), 2 * words_, bits(k));
  }
  leaves_.resize(kept);
  bits_.resize(kept * 2 * words_);
  queue_.clear();
  for (Index k = 0; k < kept; ++k) push(k);
  add_up();
}

}  // namespace surefield
