#include "surefield/bounds/log_z/supergradient/cut_function.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "surefield/bounds/elbo/max_flow.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

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

namespace {

/// Takes the terms of a model as arcs; `fits` is false once a term cannot be written so.
class CutTerms final : public TermVisitor {
 public:
  explicit CutTerms(CutFunction& cut) : cut_(cut) {}

  void constant(double) override {}
  void linear(Index i, double w) override { cut_.add_linear(node(i), w); }

  void pair(Index i, Index j, double w) override { pairs_[{node(i), node(j)}].add(w); }

  // A positive cubic term by its complements, x' = 1 - x:
  //   xyz = 1 - (x + y + z) + (xy + xz + yz) - x'y'z',   and  -x'y'z' = -1 + [one of them is in].
  void product(std::span<const Entry> members, double w) override {
    if (w <= 0) {  // -|w| if all the items are in
      const std::uint32_t all = cut_.helper();
      cut_.add_linear(all, w);
      for (const Entry& member : members) cut_.add_arc(all, member.index, -w);
    } else if (members.size() == 3) {
      const std::uint32_t any = cut_.helper();
      cut_.add_linear(any, w);
      for (const Entry& member : members) {
        cut_.add_linear(member.index, -w);
        cut_.add_arc(member.index, any, w);
      }
      pair(members[0].index, members[1].index, w);
      pair(members[0].index, members[2].index, w);
      pair(members[1].index, members[2].index, w);
    } else {
      fits_ = false;
    }
  }

  // max_{i in S} w_i is the sum of the steps between weights up to the largest chosen one: a helper
  // a step, in when an item of at least that weight is. Not paying for a step never saves more than
  // all the steps below, so that is what its arc costs.
  void best(std::span<const Entry> members, double w) override {
    double below = 0;
    std::uint32_t step = 0;
    for (const auto& [item, value] : members) {
      if (value * w < 0) fits_ = false;
      if (!fits_) return;
      if (value > below) {
        const std::uint32_t next = cut_.helper();
        cut_.add_linear(next, w * (value - below));
        if (below > 0) cut_.add_arc(next, step, w * below);
        step = next;
        below = value;
      }
      if (value > 0) cut_.add_arc(item, step, w * value);
    }
  }

  void cover(std::span<const Entry> entries, double w) override {
    std::vector<Entry> members;
    for (const auto& entry : entries)
      if (entry.value > 0) members.push_back(entry);
    if (w == 0 || members.empty()) return;
    if (members.size() == 1) return linear(members[0].index, w * members[0].value);
    if (w < 0 || std::ranges::any_of(members, [](const Entry& e) { return e.value < 1; })) {
      fits_ = false;
      return;
    }
    const std::uint32_t covered = cut_.helper();
    cut_.add_linear(covered, w);
    for (const auto& entry : members) cut_.add_arc(entry.index, covered, w);
  }

  // Tail met without the head whole: one helper is in when the tail is met, the other may be in
  // when the head is whole, and the first without the second pays.
  void cut(const Hyperedge& edge, double w) override {
    if (w < 0) {
      fits_ = false;
      return;
    }
    const std::uint32_t met = cut_.helper();
    const std::uint32_t whole = cut_.helper();
    for (const auto i : edge.tail) cut_.add_arc(i, met, w);
    for (const auto i : edge.head) cut_.add_arc(whole, i, w);
    cut_.add_arc(met, whole, w);
  }

  void concave(std::span<const Entry>, const Concave&, double) override { fits_ = false; }

  /// coupling x_i x_j = coupling x_i - coupling x_i (1 - x_j), coupling <= 0. One that is positive by
  /// rounding alone is left out: the set found is a minimiser to rounding only, and the bound made of
  /// it holds for every set.
  bool finish() {
    double largest = 0;
    for (const auto& [pair, coupling] : pairs_)
      largest = std::max(largest, std::abs(coupling.value()));
    for (const auto& [pair, sum] : pairs_) {
      const double coupling = sum.value();
      if (coupling > 1e-12 * largest) return false;
      cut_.add_linear(pair.first, std::min(coupling, 0.0));
      cut_.add_arc(pair.first, pair.second, -coupling);
    }
    return fits_;
  }

 private:
  static std::uint32_t node(Index i) { return static_cast<std::uint32_t>(i); }

  CutFunction& cut_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CompensatedSum> pairs_;
  bool fits_ = true;
};

}  // namespace

bool add_to_cut(CutFunction& cut, const AnyModel& model, double weight) {
  if (!model.has_terms()) return false;
  CutTerms terms(cut);
  model.show_terms(terms, weight, "minimum cut");
  return terms.finish();
}

}  // namespace surefield
