#include "surefield/bounds/log_z/supergradient/cut_function.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "surefield/bounds/elbo/max_flow.hpp"

namespace surefield {

// With |x_u - x_v| for the two directions together, x_u (1 - x_v) = (|x_u - x_v| + x_u - x_v) / 2.
std::vector<std::uint8_t> CutFunction::minimiser() const {
  constexpr double kWhole = 0x1p58;
  std::vector<double> linear = linear_;
  std::vector<Arc> arcs;
  for (const Arc& arc : arcs_) {
    if (fixed(arc.from) == 0 || fixed(arc.to) == 1) continue;
    if (fixed(arc.from) == 1)
      linear[arc.to] -= arc.cost;
    else if (fixed(arc.to) == 0)
      linear[arc.from] += arc.cost;
    else
      arcs.push_back(arc);
  }
  std::vector<std::uint8_t> chosen(fixed_.size(), 0);
  double total = 0;
  for (std::uint32_t v = 0; v < linear.size(); ++v) {
    if (fixed(v) != kFree) linear[v] = 0;
    if (fixed(v) == 1) chosen[v] = 1;
    total += std::abs(linear[v]);
  }
  for (const Arc& arc : arcs) total += 2 * arc.cost;
  if (!(total > 0) || !std::isfinite(total)) return chosen;
  const double scale = std::exp2(std::floor(std::log2(kWhole / std::max(total, 1e-280))));
  std::vector<std::int64_t> supply(linear.size());
  for (std::size_t v = 0; v < supply.size(); ++v)
    supply[v] = -static_cast<std::int64_t>(linear[v] * scale);
  std::vector<FlowEdge> edges;
  for (const Arc& arc : arcs) {
    const auto half = static_cast<std::int64_t>(arc.cost * scale / 2);
    if (half == 0) continue;
    supply[arc.from] -= half;
    supply[arc.to] += half;
    edges.push_back({arc.from, arc.to, half});
  }
  MaxFlow flow(std::move(supply), edges);
  flow.run();
  for (std::uint32_t i = 0; i < chosen.size(); ++i)
    if (fixed(i) == kFree) chosen[i] = flow.on_source_side(i);
  return chosen;
}

bool add_to_cut(CutFunction& cut, const Flid& model, double weight) {
  return add_to_cut(cut, model.facility, weight);
}
bool add_to_cut(CutFunction& cut, const GraphCut& model, double weight) {
  return add_to_cut(cut, model.field, weight);
}

// max_{i in S} w_i is the sum of the steps between weights up to the largest chosen one: a helper a
// step, in when an item of at least that weight is. Not paying for a step never saves more than all
// the steps below, so that is what its arc costs.
bool add_to_cut(CutFunction& cut, const FacilityLocation& model, double weight) {
  for (std::uint32_t i = 0; i < model.size(); ++i) cut.add_linear(i, -weight * model.cost[i]);
  for (Index d = 0; d < model.forest.lists(); ++d) {
    double below = 0;
    std::uint32_t step = 0;
    for (const auto& [item, w] : model.forest.of_list(d)) {
      if (w < 0) return false;
      if (w > below) {
        const std::uint32_t next = cut.helper();
        cut.add_linear(next, weight * (w - below));
        if (below > 0) cut.add_arc(next, step, weight * below);
        step = next;
        below = w;
      }
      if (w > 0) cut.add_arc(item, step, weight * w);
    }
  }
  return true;
}

bool add_to_cut(CutFunction& cut, const Coverage& model, double weight) {
  for (std::uint32_t i = 0; i < model.size(); ++i) cut.add_linear(i, -weight * model.cost[i]);
  for (Index c = 0; c < model.members.groups(); ++c) {
    const double w = weight * model.concept_weight[c];
    std::vector<Entry> members;
    for (const auto& entry : model.members.of_group(c))
      if (entry.value > 0) members.push_back(entry);
    if (w == 0 || members.empty()) continue;
    if (members.size() == 1) {
      cut.add_linear(members[0].index, w * members[0].value);
      continue;
    }
    if (w < 0 || std::ranges::any_of(members, [](const Entry& e) { return e.value < 1; }))
      return false;
    const std::uint32_t covered = cut.helper();
    cut.add_linear(covered, w);
    for (const auto& entry : members) cut.add_arc(entry.index, covered, w);
  }
  return true;
}

namespace {

/// coupling x_i x_j = coupling x_i - coupling x_i (1 - x_j).
bool add_pair(CutFunction& cut, std::uint32_t i, std::uint32_t j, double coupling) {
  cut.add_linear(i, coupling);
  cut.add_arc(i, j, -coupling);
  return coupling <= 0;
}

/// -cost, cost >= 0, if all the items are in.
void add_reward(CutFunction& cut, std::span<const std::uint32_t> items, double cost) {
  const std::uint32_t all = cut.helper();
  cut.add_linear(all, -cost);
  for (const auto i : items) cut.add_arc(all, i, cost);
}

}  // namespace

bool add_to_cut(CutFunction& cut, const PairwiseField& model, double weight) {
  for (std::uint32_t i = 0; i < model.size(); ++i) cut.add_linear(i, weight * model.bias[i]);
  bool fit = true;
  for (const auto& [from, to, coupling] : model.edges())
    fit &= add_pair(cut, from, to, weight * coupling);
  return fit;
}

// Tail met without the head whole: one helper is in when the tail is met, the other may be in when
// the head is whole, and the first without the second pays.
bool add_to_cut(CutFunction& cut, const HypergraphCut& model, double weight) {
  for (std::uint32_t i = 0; i < model.size(); ++i) cut.add_linear(i, weight * model.bias[i]);
  for (const auto& edge : model.hyperedges) {
    const double w = weight * edge.weight;
    if (w < 0) return false;
    const std::uint32_t met = cut.helper();
    const std::uint32_t whole = cut.helper();
    for (const auto i : edge.tail) cut.add_arc(i, met, w);
    for (const auto i : edge.head) cut.add_arc(whole, i, w);
    cut.add_arc(met, whole, w);
  }
  return true;
}

// A positive cubic term by its complements, x' = 1 - x:
//   xyz = 1 - (x + y + z) + (xy + xz + yz) - x'y'z',   and  -x'y'z' = -1 + [one of them is in].
bool add_to_cut(CutFunction& cut, const GibbsField& model, double weight) {
  for (std::uint32_t i = 0; i < model.size(); ++i) cut.add_linear(i, weight * model.bias[i]);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> pairs;
  double largest = 0;
  for (Index a = 0; a < model.monomials.groups(); ++a) {
    const double w = weight * model.coefficient[a];
    largest = std::max(largest, std::abs(w));
    std::vector<std::uint32_t> items;
    for (const auto& entry : model.monomials.of_group(a)) items.push_back(entry.index);
    if (items.size() == 2) {
      pairs[{items[0], items[1]}] += w;
    } else if (w <= 0) {
      add_reward(cut, items, -w);
    } else if (items.size() == 3) {
      const std::uint32_t any = cut.helper();
      cut.add_linear(any, w);
      for (const auto i : items) {
        cut.add_linear(i, -w);
        cut.add_arc(i, any, w);
      }
      pairs[{items[0], items[1]}] += w;
      pairs[{items[0], items[2]}] += w;
      pairs[{items[1], items[2]}] += w;
    } else {
      return false;
    }
  }
  for (const auto& [pair, coupling] : pairs) {
    if (coupling > 1e-12 * largest) return false;
    add_pair(cut, pair.first, pair.second, std::min(coupling, 0.0));
  }
  return true;
}

bool add_to_cut(CutFunction&, const ConcaveOverModular&, double) { return false; }
bool add_to_cut(CutFunction&, const LogDet&, double) { return false; }
bool add_to_cut(CutFunction&, const BlackBox&, double) { return false; }

bool add_to_cut(CutFunction& cut, const WeightedSum& model, double weight) {
  return std::ranges::all_of(model.terms, [&](const WeightedSum::Term& term) {
    if (term.weight < 0) return false;
    return std::visit([&](const auto& part) { return add_to_cut(cut, part, weight * term.weight); },
                      term.model);
  });
}

}  // namespace surefield
