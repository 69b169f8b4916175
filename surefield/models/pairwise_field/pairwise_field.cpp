#include "surefield/models/pairwise_field/pairwise_field.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/block_sum.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/large_arrays.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

double PairwiseField::evaluate(Subset chosen) const {
  CompensatedSum sum;
  sum.add(constant);
  for (Index i = 0; i < size(); ++i) {
    if (!chosen[i]) continue;
    sum.add(bias[i]);
    for (std::size_t e = start[i]; e < start[i + 1]; ++e)
      if (neighbour[e] > i && chosen[neighbour[e]]) sum.add(coupling[e]);
  }
  return sum.value();
}

std::vector<Edge> PairwiseField::edges() const {
  std::vector<Edge> result;
  result.reserve(neighbour.size() / 2);
  for (Index i = 0; i < size(); ++i)
    for (std::size_t e = start[i]; e < start[i + 1]; ++e)
      if (neighbour[e] > i)
        result.push_back({static_cast<std::uint32_t>(i), neighbour[e], coupling[e]});
  return result;
}

PairwiseField::State PairwiseField::at(std::span<const double> x) const& { return {*this, x}; }
PairwiseField::Set PairwiseField::empty_set() const& { return Set(*this); }

PairwiseField::State::State(const PairwiseField& model, std::span<const double> x)
    : model_(&model), x_(x.begin(), x.end()) {}

void PairwiseField::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = partial(i);
}

double PairwiseField::State::value() const {
  BlockSum sum;
  sum.add(0, model_->constant);
  for (Index i = 0; i < size(); ++i)  // every edge is seen from both ends, hence the half
    sum.add(i, x_[i] * (model_->bias[i] + (partial(i) - model_->bias[i]) / 2));
  return sum.value();
}

double PairwiseField::Set::gain(Index i) const {
  double field = model_->bias[i];
  for (std::size_t e = model_->start[i]; e < model_->start[i + 1]; ++e)
    if (chosen_[model_->neighbour[e]]) field += model_->coupling[e];
  return field;
}

PairwiseField make_pairwise_field(std::vector<double> bias, std::span<const Edge> edges,
                                  double constant) {
  const Index n = bias.size();
  require(std::isfinite(constant), "pairwise field: the constant is ", constant,
          ", which must be finite");
  for (Index i = 0; i < n; ++i)
    require(std::isfinite(bias[i]), "pairwise field: node ", i, " has bias ", bias[i],
            ", which must be finite");
  PairwiseField model;
  model.constant = constant;
  model.bias = std::move(bias);
  model.start.assign(n + 1, 0);
  for (const auto& [from, to, weight] : edges) {
    require(from < n && to < n, "pairwise field: edge ", from, "-", to, " leaves the ", n,
            " nodes");
    require(from != to, "pairwise field: edge ", from, "-", to,
            " joins a node to itself, which must be written as a bias");
    require(std::isfinite(weight), "pairwise field: edge ", from, "-", to, " has coupling ", weight,
            ", which must be finite");
    ++model.start[from + 1];
    ++model.start[to + 1];
  }
  for (Index i = 0; i < n; ++i) model.start[i + 1] += model.start[i];
  reserve_large(model.neighbour, 2 * edges.size());
  reserve_large(model.coupling, 2 * edges.size());
  model.neighbour.resize(2 * edges.size());
  model.coupling.resize(2 * edges.size());
  auto next = model.start;
  for (const auto& [from, to, weight] : edges) {
    model.neighbour[next[from]] = to;
    model.coupling[next[from]++] = weight;
    model.neighbour[next[to]] = from;
    model.coupling[next[to]++] = weight;
  }
  // Sort the ends of each node and add up parallel edges exactly, closing the gaps they leave.
  std::vector<std::pair<std::uint32_t, double>> ends;
  std::size_t write = 0;
  for (Index i = 0; i < n; ++i) {
    const std::size_t first = model.start[i];
    const std::size_t last = model.start[i + 1];
    ends.clear();
    for (std::size_t e = first; e < last; ++e)
      ends.emplace_back(model.neighbour[e], model.coupling[e]);
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(ends.begin(), ends.end(), before))  // as they are if the edges ascend
      std::stable_sort(ends.begin(), ends.end(), before);
    model.start[i] = write;
    for (std::size_t e = 0; e < ends.size(); ++e) {
      double coupling = ends[e].second;
      if (e + 1 < ends.size() && ends[e + 1].first == ends[e].first) {
        ExactSum sum;
        for (sum.add(coupling); e + 1 < ends.size() && ends[e + 1].first == ends[e].first; ++e)
          sum.add(ends[e + 1].second);
        coupling = sum.value();
        require(std::isfinite(coupling), "pairwise field: the couplings of ", i, "-", ends[e].first,
                " add up to ", coupling, ", which must be finite");
      }
      model.neighbour[write] = ends[e].first;
      model.coupling[write++] = coupling;
    }
  }
  model.start[n] = write;
  model.neighbour.resize(write);
  model.coupling.resize(write);
  return model;
}

std::optional<std::string> submodularity_violation(const PairwiseField& model) {
  for (const auto& [from, to, weight] : model.edges())
    if (weight > 0)
      return message("pair ", from, "-", to, " has coupling ", weight,
                     ", which must be <= 0 for a submodular field");
  return std::nullopt;
}

void PairwiseField::show_terms(TermVisitor& visitor, double weight) const {
  visitor.constant(weight * constant);
  for (Index i = 0; i < size(); ++i) visitor.linear(i, weight * bias[i]);
  for (Index i = 0; i < size(); ++i)
    for (std::size_t e = start[i]; e < start[i + 1]; ++e)
      if (i < neighbour[e]) visitor.pair(i, neighbour[e], weight * coupling[e]);
}

}  // namespace surefield
