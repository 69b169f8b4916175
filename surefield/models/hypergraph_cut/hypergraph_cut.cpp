#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

std::vector<std::vector<Entry>> entries_of(const std::vector<Hyperedge>& hyperedges,
                                           std::vector<std::uint32_t> Hyperedge::*side) {
  std::vector<std::vector<Entry>> groups(hyperedges.size());
  for (Index e = 0; e < hyperedges.size(); ++e)
    for (const auto i : hyperedges[e].*side) groups[e].push_back({i, 1});
  return groups;
}

}  // namespace

double HypergraphCut::evaluate(Subset chosen) const {
  const auto in_set = [&](std::uint32_t i) { return chosen[i] != 0; };
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) sum.add(bias[i]);
  for (const auto& [weight, tail, head] : hyperedges)
    if (std::any_of(tail.begin(), tail.end(), in_set) &&
        !std::all_of(head.begin(), head.end(), in_set))
      sum.add(weight);
  return sum.value();
}

HypergraphCut::State HypergraphCut::at(std::span<const double> x) const& { return {*this, x}; }
HypergraphCut::Set HypergraphCut::empty_set() const& { return Set(*this); }

HypergraphCut::State::State(const HypergraphCut& model, std::span<const double> x)
    : model_(&model),
      x_(x.begin(), x.end()),
      untouched_(model.hyperedges.size()),
      swallowed_(model.hyperedges.size()),
      tail_replaced_(model.hyperedges.size()),
      head_replaced_(model.hyperedges.size()) {
  for (Index e = 0; e < model.hyperedges.size(); ++e) {
    rebuild_tail(e);
    rebuild_head(e);
  }
}

void HypergraphCut::State::rebuild_tail(Index e) {
  untouched_[e] = {};
  for (const auto i : model_->hyperedges[e].tail) untouched_[e].multiply(1 - x_[i]);
  tail_replaced_[e] = 0;
}

void HypergraphCut::State::rebuild_head(Index e) {
  swallowed_[e] = {};
  for (const auto i : model_->hyperedges[e].head) swallowed_[e].multiply(x_[i]);
  head_replaced_[e] = 0;
}

double HypergraphCut::State::partial(Index i) const {
  double slope = model_->bias[i];
  for (const Entry& entry : model_->tails.of_item(i)) {
    const Index e = entry.index;
    const double rest = untouched_[e].without(1 - x_[i]);
    slope += model_->hyperedges[e].weight *
             (model_->overlapping[e] ? rest : rest * (1 - swallowed_[e].value()));
  }
  for (const Entry& entry : model_->heads.of_item(i)) {
    const Index e = entry.index;
    const double rest = swallowed_[e].without(x_[i]);
    slope -= model_->hyperedges[e].weight *
             (model_->overlapping[e] ? rest : rest * (1 - untouched_[e].value()));
  }
  return slope;
}

void HypergraphCut::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = partial(i);
}

double HypergraphCut::State::value() const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i) sum.add(model_->bias[i] * x_[i]);
  for (Index e = 0; e < model_->hyperedges.size(); ++e) {
    const double untouched = untouched_[e].value();
    const double swallowed = swallowed_[e].value();
    sum.add(model_->hyperedges[e].weight * (model_->overlapping[e]
                                                ? 1 - untouched - swallowed
                                                : (1 - untouched) * (1 - swallowed)));
  }
  return sum.value();
}

void HypergraphCut::State::set(Index i, double v) {
  if (v == x_[i]) return;
  const double old = std::exchange(x_[i], v);
  for (const Entry& entry : model_->tails.of_item(i)) {
    const Index e = entry.index;
    if (++tail_replaced_[e] > model_->hyperedges[e].tail.size()) {
      rebuild_tail(e);
    } else {
      untouched_[e].divide(1 - old);
      untouched_[e].multiply(1 - v);
    }
  }
  for (const Entry& entry : model_->heads.of_item(i)) {
    const Index e = entry.index;
    if (++head_replaced_[e] > model_->hyperedges[e].head.size()) {
      rebuild_head(e);
    } else {
      swallowed_[e].divide(old);
      swallowed_[e].multiply(v);
    }
  }
}

HypergraphCut::Set::Set(const HypergraphCut& model)
    : model_(&model), chosen_(model.size(), 0), tail_inside_(model.hyperedges.size(), 0) {
  for (const auto& hyperedge : model.hyperedges)
    head_outside_.push_back(static_cast<std::uint32_t>(hyperedge.head.size()));
}

double HypergraphCut::Set::gain(Index i) const {
  double gain = model_->bias[i];
  const std::uint32_t inside = chosen_[i];
  for (const Entry& entry : model_->tails.of_item(i)) {
    const Index e = entry.index;
    if (tail_inside_[e] == inside && (model_->overlapping[e] || head_outside_[e] > 0))
      gain += model_->hyperedges[e].weight;  // i alone meets the tail
  }
  for (const Entry& entry : model_->heads.of_item(i)) {
    const Index e = entry.index;
    if (head_outside_[e] == 1 - inside && (model_->overlapping[e] || tail_inside_[e] > 0))
      gain -= model_->hyperedges[e].weight;  // i alone is missing from the head
  }
  return gain;
}

double HypergraphCut::Set::value() const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen_[i]) sum.add(model_->bias[i]);
  for (Index e = 0; e < tail_inside_.size(); ++e)
    if (tail_inside_[e] > 0 && head_outside_[e] > 0) sum.add(model_->hyperedges[e].weight);
  return sum.value();
}

void HypergraphCut::Set::add(Index i) {
  if (chosen_[i]) return;
  chosen_[i] = 1;
  for (const Entry& entry : model_->tails.of_item(i)) ++tail_inside_[entry.index];
  for (const Entry& entry : model_->heads.of_item(i)) --head_outside_[entry.index];
}

void HypergraphCut::Set::remove(Index i) {
  if (!chosen_[i]) return;
  chosen_[i] = 0;
  for (const Entry& entry : model_->tails.of_item(i)) --tail_inside_[entry.index];
  for (const Entry& entry : model_->heads.of_item(i)) ++head_outside_[entry.index];
}

HypergraphCut make_hypergraph_cut(std::vector<double> bias, std::vector<Hyperedge> hyperedges) {
  const Index n = bias.size();
  for (Index i = 0; i < n; ++i)
    require(std::isfinite(bias[i]), "hypergraph cut: node ", i, " has bias ", bias[i],
            ", which must be finite");
  HypergraphCut model;
  std::vector<std::uint8_t> in_tail(n, 0);
  std::vector<std::uint8_t> in_head(n, 0);
  for (Index e = 0; e < hyperedges.size(); ++e) {
    const auto& [weight, tail, head] = hyperedges[e];
    require(std::isfinite(weight), "hypergraph cut: hyperedge ", e, " has weight ", weight,
            ", which must be finite");
    const auto mark = [&](const std::vector<std::uint32_t>& nodes, std::vector<std::uint8_t>& marks,
                          std::string_view name) {
      require(!nodes.empty(), "hypergraph cut: hyperedge ", e, " has no node in its ", name);
      for (const auto i : nodes) {
        require(i < n, "hypergraph cut: hyperedge ", e, " holds node ", i, ", but there are ", n);
        require(!marks[i], "hypergraph cut: hyperedge ", e, " holds node ", i, " twice in its ",
                name);
        marks[i] = 1;
      }
    };
    mark(tail, in_tail, "tail");
    mark(head, in_head, "head");
    model.overlapping.push_back(
        std::any_of(tail.begin(), tail.end(), [&](std::uint32_t i) { return in_head[i] != 0; }));
    for (const auto i : tail) in_tail[i] = 0;
    for (const auto i : head) in_head[i] = 0;
  }
  model.bias = std::move(bias);
  model.hyperedges = std::move(hyperedges);
  model.tails = Incidence(n, entries_of(model.hyperedges, &Hyperedge::tail));
  model.heads = Incidence(n, entries_of(model.hyperedges, &Hyperedge::head));
  return model;
}

Hyperedge undirected_hyperedge(std::vector<std::uint32_t> nodes, double weight) {
  return {weight, nodes, nodes};
}

std::optional<std::string> submodularity_violation(const HypergraphCut& model) {
  const auto& edges = model.hyperedges;
  if (std::ranges::all_of(edges, [](const Hyperedge& edge) { return edge.weight >= 0; }))
    return std::nullopt;
  using Sides = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
  std::map<Sides, std::pair<ExactSum, Index>> parallel;  // with the first of negative weight
  for (Index e = 0; e < edges.size(); ++e) {
    Sides sides{edges[e].tail, edges[e].head};
    std::ranges::sort(sides.first);
    std::ranges::sort(sides.second);
    if (sides.first.size() == 1 && sides.first == sides.second) continue;  // is never cut
    auto& [sum, first] =
        parallel.try_emplace(std::move(sides), ExactSum{}, edges.size()).first->second;
    sum.add(edges[e].weight);
    if (edges[e].weight < 0) first = std::min(first, e);
  }
  Index named = edges.size();
  double weight = 0;
  for (const auto& [sides, entry] : parallel) {
    const auto& [sum, first] = entry;
    if (sum.sign() >= 0 || first >= named) continue;
    named = first;
    weight = sum.value();
  }
  if (named == edges.size()) return std::nullopt;
  return message("hyperedge ", named, " has weight ", weight,
                 ", which must be >= 0 for a submodular cut");
}

void HypergraphCut::show_terms(TermVisitor& visitor, double weight) const {
  for (Index i = 0; i < size(); ++i) visitor.linear(i, weight * bias[i]);
  for (const Hyperedge& edge : hyperedges) visitor.cut(edge, weight * edge.weight);
}

}  // namespace surefield
