// The boxes of a best-first search that wait to be bounded, largest bound first, in bounded memory.
//
// What is done with is remembered by the largest of its bounds. Where more boxes wait than may, those
// with the least bounds, a quarter of them, are given up the same way: they are the last that the search would have
// come to, and what it can still prove ends at the largest of their bounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "surefield/core/numeric.hpp"

namespace surefield {

/// What is known of boxes that are not coming back: the largest of their bounds.
class LargestBound {
 public:
  void add(double bound) { value_ = std::max(value_, bound); }
  double value() const { return value_; }

 private:
  double value_ = -kInfinity;
};

/// A Node has a `bound`; a Settled takes bounds by add() and has a value().
template <class Node, class Settled = LargestBound>
class OpenBoxes {
 public:
  /// At most so many wait, at least 4.
  explicit OpenBoxes(std::size_t most) : most_(std::max<std::size_t>(most, 4)) {}

  bool empty() const { return open_.empty(); }
  std::size_t size() const { return open_.size(); }

  void push(Node node) {
    if (open_.size() >= most_) give_up();
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), lower);
  }

  /// The one with the largest bound. Not to be asked of none.
  Node pop() {
    std::pop_heap(open_.begin(), open_.end(), lower);
    Node node = std::move(open_.back());
    open_.pop_back();
    return node;
  }

  /// No point of a box that is not coming back is above this.
  void settle(double bound) { settled_.add(bound); }
  const Settled& settled() const { return settled_; }
  const std::vector<Node>& waiting() const { return open_; }

  /// Of every box, waiting or settled; -infinity of none.
  double upper() const {
    return open_.empty() ? settled_.value() : std::max(settled_.value(), open_.front().bound);
  }
  /// Whether bounding what waits can lower upper().
  bool can_fall() const { return !open_.empty() && open_.front().bound > settled_.value(); }

 private:
  static bool lower(const Node& a, const Node& b) { return a.bound < b.bound; }

  void give_up() {
    const std::size_t kept = open_.size() - open_.size() / 4;
    const auto end = open_.begin() + static_cast<std::ptrdiff_t>(kept);
    std::nth_element(open_.begin(), end, open_.end(),
                     [](const Node& a, const Node& b) { return a.bound > b.bound; });
    for (auto node = end; node != open_.end(); ++node) settle(node->bound);
    open_.erase(end, open_.end());
    std::make_heap(open_.begin(), open_.end(), lower);
  }

  std::size_t most_;
  std::vector<Node> open_;
  Settled settled_;
};

}  // namespace surefield
