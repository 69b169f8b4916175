#include "surefield/bounds/log_z/hoelder/hoelder_split.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

namespace surefield {
namespace {

/// Takes the terms of the model, with its fixed items settled.
class Splitter final : public TermVisitor {
 public:
  Splitter(Index n, const Box* box, const Budget& budget)
      : budget_(budget), fixed_(free_items(box, n, "hoelder")), position_(n, 0) {
    for (std::uint32_t k = 0; k < fixed_.free.size(); ++k) position_[fixed_.free[k]] = k;
    modular_.resize(fixed_.free.size());
  }

  void constant(double w) override {
    split_.magnitude += std::abs(w);
    constant_.add(w);
  }

  void linear(Index i, double w) override {
    if (fixed_.value[i] != 0) split_.magnitude += std::abs(w);
    if (fixed_.value[i] == 1) constant_.add(w);
    if (fixed_.value[i] == kFree) modular_[position_[i]].add(w);
  }

  void pair(Index i, Index j, double w) override {
    if (fixed_.value[i] == 0 || fixed_.value[j] == 0 || w == 0) return;
    if (fixed_.value[i] == 1) return linear(j, w);
    if (fixed_.value[j] == 1) return linear(i, w);
    split_.magnitude += std::abs(w);
    const auto [from, to] = std::minmax(position_[i], position_[j]);
    split_.edges.push_back({from, to, w});
  }

  void product(std::span<const Entry> members, double w) override {
    std::vector<std::uint32_t> open;
    bool possible = true;
    for (const auto& entry : members) {
      possible &= fixed_.value[entry.index] != 0;
      if (fixed_.value[entry.index] == kFree) open.push_back(entry.index);
    }
    if (possible && open.size() == 2) return pair(open[0], open[1], w);
    automaton(items_of(members),
              {1, [](double s, std::size_t, bool in) { return in ? s : 0.0; },
               [w](double s) { return w * s; }},
              std::abs(w));
  }

  void best(std::span<const Entry> members, double w) override {
    double base = -kInfinity;  // the best of the members that are in for sure
    for (const auto& [item, value] : members) {
      split_.magnitude += std::abs(w * value);
      if (fixed_.value[item] == 1) base = std::max(base, value);
    }
    if (base == -kInfinity) base = 0;  // others are in, if any: members are all only if all are > 0
    const bool any_in = !fixed_.in.empty();
    if (any_in) constant_.add(w * base);
    BestItemPiece piece;
    for (const auto& [item, value] : members) {
      if (fixed_.value[item] != kFree || (any_in && value <= base)) continue;
      piece.items.push_back(position_[item]);
      piece.weight.push_back(w * (any_in ? value - base : value));
    }
    if (piece.items.size() == 1)
      modular_[piece.items[0]].add(piece.weight[0]);
    else if (!piece.items.empty())
      split_.pieces.emplace_back(std::move(piece));
  }

  void cover(std::span<const Entry> members, double w) override {
    automaton(items_of(members),
              {1,
               [members](double s, std::size_t m, bool in) {
                 return in ? s * (1 - members[m].value) : s;
               },
               [w](double s) { return w * (1 - s); }},
              std::abs(w));
  }

  void cut(const Hyperedge& edge, double w) override {  // state: 2 [tail met] + [head broken]
    std::vector<std::uint32_t> nodes = edge.tail;
    nodes.insert(nodes.end(), edge.head.begin(), edge.head.end());
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::vector<std::uint8_t> tail, head;
    for (const auto node : nodes) {
      tail.push_back(std::ranges::find(edge.tail, node) != edge.tail.end());
      head.push_back(std::ranges::find(edge.head, node) != edge.head.end());
    }
    automaton(
        nodes,
        {0,
         [&](double s, std::size_t m, bool in) {
           const int state = static_cast<int>(s);
           return static_cast<double>(in ? state | (tail[m] ? 2 : 0) : state | (head[m] ? 1 : 0));
         },
         [w](double s) { return s == 3 ? w : 0.0; }},
        std::abs(w));
  }

  void concave(std::span<const Entry> members, const Concave& shape, double w) override {
    double all = 0;
    for (const auto& entry : members) all += entry.value;
    automaton(
        items_of(members),
        {0, [members](double s, std::size_t m, bool in) { return in ? s + members[m].value : s; },
         [w, shape](double s) { return w * shape(s); }},
        std::abs(w * shape(all)));
  }

  HoelderSplit finish() {
    require(std::isfinite(split_.magnitude),
            "hoelder: the numbers of the model times the inverse "
            "temperature add up to ",
            split_.magnitude, ", which must be finite");
    split_.free = fixed_.free;
    split_.constant = constant_.value();
    for (const auto& sum : modular_) split_.modular.push_back(sum.value());
    std::ranges::sort(split_.edges, [](const Edge& a, const Edge& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    std::vector<Edge> merged;
    for (const Edge& edge : split_.edges) {
      if (!merged.empty() && merged.back().from == edge.from && merged.back().to == edge.to)
        merged.back().weight += edge.weight;
      else
        merged.push_back(edge);
    }
    std::erase_if(merged, [](const Edge& edge) { return edge.weight == 0; });
    split_.edges = std::move(merged);
    return std::move(split_);
  }

 private:
  static std::vector<std::uint32_t> items_of(std::span<const Entry> entries) {
    std::vector<std::uint32_t> items;
    for (const auto& entry : entries) items.push_back(entry.index);
    return items;
  }

  void automaton(const std::vector<std::uint32_t>& members, const AutomatonRule& rule,
                 double magnitude) {
    if (magnitude == 0) return;
    split_.magnitude += magnitude;
    AutomatonPiece piece = make_automaton(members, fixed_.value, position_, rule);
    for (const auto& layer : piece.layers) states_ += static_cast<double>(layer.in.size());
    budget_.require({.operations = 100 * states_, .bytes = 40 * states_}, "hoelder");
    const auto [low, high] = std::ranges::minmax_element(piece.value);
    if (*low == *high) {
      constant_.add(*low);
    } else if (piece.items.size() == 1) {
      const double out = piece.value[piece.layers[0].out[0]];
      constant_.add(out);
      modular_[piece.items[0]].add(piece.value[piece.layers[0].in[0]] - out);
    } else {
      split_.pieces.emplace_back(std::move(piece));
    }
  }

  const Budget& budget_;
  double states_ = 0;  // of all automata so far
  FreeItems fixed_;
  std::vector<std::uint32_t> position_;  // of a free item among the free ones
  HoelderSplit split_;
  CompensatedSum constant_;
  std::vector<CompensatedSum> modular_;
};

}  // namespace

HoelderSplit split_for_hoelder(const AnyModel& model, const Box* box, double beta,
                               const Budget& budget) {
  require_positive_inverse_temperature(beta, "hoelder");
  Splitter splitter(model.size(), box, budget);
  model.show_terms(splitter, beta, "hoelder");
  HoelderSplit split = splitter.finish();
  split.error = model.facts().times(beta).value_error;
  return split;
}

double operations_of(const HoelderSplit& split, Index width) {
  std::vector<double> parts_of_item(split.size(), 0);
  double states = 0;
  for (const HoelderPiece& piece : split.pieces) {
    std::visit(
        [&](const auto& one) {
          for (const auto i : one.items) parts_of_item[i] += 1;
        },
        piece);
    if (const auto* automaton = std::get_if<AutomatonPiece>(&piece))
      for (const auto& layer : automaton->layers) states += static_cast<double>(layer.in.size());
  }
  std::vector<double> degree(split.size(), 0);
  for (const Edge& edge : split.edges) degree[edge.from] += 1, degree[edge.to] += 1;
  double parts = 0, fields = 0;
  for (const double count : parts_of_item) parts = std::max(parts, count);
  for (const double count : degree) fields = std::max(fields, count);
  const auto n = static_cast<double>(split.size());
  const double table = std::ldexp(1.0, static_cast<int>(width));
  return 40 * n * parts + 10 * states +
         (split.edges.empty() ? 0 : n * (1 + fields / 2) * 4 * table);
}

}  // namespace surefield
