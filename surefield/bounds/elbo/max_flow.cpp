#include "surefield/bounds/elbo/max_flow.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace surefield {

MaxFlow::MaxFlow(std::vector<std::int64_t> supply, std::span<const FlowEdge> edges)
    : start_(supply.size() + 1, 0),
      head_(2 * edges.size()),
      twin_(2 * edges.size()),
      rest_(2 * edges.size()),
      supply_(std::move(supply)),
      parent_(supply_.size(), kFree),
      distance_(supply_.size(), 0),
      stamp_(supply_.size(), 0),
      to_sink_(supply_.size(), 0),
      waiting_(supply_.size(), 0) {
  for (const FlowEdge& edge : edges) ++start_[edge.from + 1], ++start_[edge.to + 1];
  for (std::size_t i = 0; i < supply_.size(); ++i) start_[i + 1] += start_[i];
  auto next = start_;
  for (const auto& [from, to, capacity] : edges) {
    const Arc there = next[from]++, back = next[to]++;
    head_[there] = to, head_[back] = from;
    twin_[there] = back, twin_[back] = there;
    rest_[there] = rest_[back] = capacity;
  }
}

void MaxFlow::activate(Node node) {
  if (waiting_[node]) return;
  waiting_[node] = 1;
  active_.push_back(node);
}

void MaxFlow::orphan(Node node) {
  parent_[node] = kOrphan;
  orphans_.push_back(node);
}

/// Takes free neighbours into the node's tree; returns an arc from the source's tree to the
/// sink's as soon as there is one, else kFree.
MaxFlow::Arc MaxFlow::grow(Node node) {
  const bool sink = to_sink_[node];
  for (Arc arc = start_[node]; arc < start_[node + 1]; ++arc) {
    if ((sink ? rest_[twin_[arc]] : rest_[arc]) == 0) continue;
    const Node other = head_[arc];
    if (parent_[other] == kFree) {
      to_sink_[other] = sink;
      parent_[other] = twin_[arc];
      stamp_[other] = stamp_[node];
      distance_[other] = distance_[node] + 1;
      activate(other);
    } else if (to_sink_[other] != sink) {
      return sink ? twin_[arc] : arc;
    } else if (stamp_[other] <= stamp_[node] && distance_[other] > distance_[node] + 1 &&
               parent_[other] != kTerminal) {
      parent_[other] = twin_[arc];  // a shorter way to the terminal
      stamp_[other] = stamp_[node];
      distance_[other] = distance_[node] + 1;
    }
  }
  return kFree;
}

void MaxFlow::augment(Arc bridge) {
  std::int64_t amount = rest_[bridge];
  Node node = head_[twin_[bridge]];
  for (; parent_[node] != kTerminal; node = head_[parent_[node]])
    amount = std::min(amount, rest_[twin_[parent_[node]]]);
  amount = std::min(amount, supply_[node]);
  for (node = head_[bridge]; parent_[node] != kTerminal; node = head_[parent_[node]])
    amount = std::min(amount, rest_[parent_[node]]);
  amount = std::min(amount, -supply_[node]);

  rest_[bridge] -= amount;
  rest_[twin_[bridge]] += amount;
  for (const bool sink : {false, true}) {
    node = sink ? head_[bridge] : head_[twin_[bridge]];
    while (parent_[node] != kTerminal) {
      const Arc up = parent_[node];
      const Arc along = sink ? up : twin_[up];
      rest_[along] -= amount;
      rest_[twin_[along]] += amount;
      if (rest_[along] == 0) orphan(node);
      node = head_[up];
    }
    supply_[node] += sink ? amount : -amount;
    if (supply_[node] == 0) orphan(node);
  }
  flow_ += amount;
}

/// Whether the node hangs on a terminal, and how far from it; stamps what it finds.
bool MaxFlow::find_root(Node from, std::uint32_t& distance) {
  distance = 0;
  for (Node node = from;; node = head_[parent_[node]]) {
    const Arc up = parent_[node];
    if (up == kOrphan || up == kFree) return false;
    if (stamp_[node] == now_) {
      distance += distance_[node];
      break;
    }
    ++distance;
    if (up == kTerminal) {
      stamp_[node] = now_;
      distance_[node] = 1;
      break;
    }
  }
  std::uint32_t left = distance;
  for (Node node = from; stamp_[node] != now_; node = head_[parent_[node]]) {
    stamp_[node] = now_;
    distance_[node] = left--;
  }
  return true;
}

/// A new parent for an orphan, or freedom for it and its children the same question.
void MaxFlow::adopt(Node node) {
  const bool sink = to_sink_[node];
  Arc best = kFree;
  std::uint32_t nearest = std::numeric_limits<std::uint32_t>::max();
  for (Arc arc = start_[node]; arc < start_[node + 1]; ++arc) {
    const Node other = head_[arc];
    if (parent_[other] == kFree || to_sink_[other] != sink || towards_tree(node, arc) == 0)
      continue;
    std::uint32_t distance = 0;
    if (!find_root(other, distance) || distance >= nearest) continue;
    best = arc;
    nearest = distance;
  }
  parent_[node] = best;
  if (best != kFree) {
    stamp_[node] = now_;
    distance_[node] = nearest + 1;
    return;
  }
  for (Arc arc = start_[node]; arc < start_[node + 1]; ++arc) {
    const Node other = head_[arc];
    if (parent_[other] == kFree || to_sink_[other] != sink) continue;
    if (towards_tree(node, arc) != 0) activate(other);
    const Arc up = parent_[other];
    if (up != kTerminal && up != kOrphan && head_[up] == node) orphan(other);
  }
}

std::int64_t MaxFlow::run(const Budget& budget) {
  Ticks ticks(budget);
  for (Node node = 0; node < supply_.size(); ++node) {
    if (supply_[node] == 0) continue;
    to_sink_[node] = supply_[node] < 0;
    parent_[node] = kTerminal;
    distance_[node] = 1;
    activate(node);
  }
  while (!active_.empty() && !ticks.spent()) {
    const Node node = active_.front();
    active_.pop_front();
    waiting_[node] = 0;
    while (parent_[node] != kFree) {
      const Arc bridge = grow(node);
      if (bridge == kFree || ticks.spent()) break;
      ++now_;
      augment(bridge);
      while (!orphans_.empty()) {
        const Node lost = orphans_.back();
        orphans_.pop_back();
        if (parent_[lost] == kOrphan) adopt(lost);
      }
    }
  }
  return flow_;
}

}  // namespace surefield
