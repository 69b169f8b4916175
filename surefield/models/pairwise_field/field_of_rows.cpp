#include "surefield/models/pairwise_field/field_of_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// Of the end (i, e): ascending, another node, finite, and there from the other side as well.
void require_sound_end(const PairwiseField& model, Index i, std::size_t e) {
  const Index n = model.size();
  const std::uint32_t j = model.neighbour[e];
  const double weight = model.coupling[e];
  require(j < n, "pairwise field: edge ", i, "-", j, " leaves the ", n, " nodes");
  require(j != i, "pairwise field: edge ", i, "-", j,
          " joins a node to itself, which must be written as a bias");
  require(e == model.start[i] || model.neighbour[e - 1] < j,
          "pairwise field: the neighbours of node ", i, " must ascend, each once");
  require(std::isfinite(weight), "pairwise field: edge ", i, "-", j, " has coupling ", weight,
          ", which must be finite");
  const auto row = model.neighbours().of(j);
  const auto back = std::ranges::lower_bound(row, static_cast<std::uint32_t>(i));
  require(back != row.end() && *back == i, "pairwise field: edge ", i, "-", j, " is not in row ",
          j);
  const double other =
      model.coupling[model.start[j] + static_cast<std::size_t>(back - row.begin())];
  require(other == weight, "pairwise field: edge ", i, "-", j, " has coupling ", weight, " but ",
          other, " from the other side");
}

}  // namespace

PairwiseField make_field_of_rows(std::vector<double> bias, std::vector<std::size_t> start,
                                 std::vector<std::uint32_t> neighbour, std::vector<double> coupling,
                                 double constant) {
  require(std::isfinite(constant), "pairwise field: the constant is ", constant,
          ", which must be finite");
  for (Index i = 0; i < bias.size(); ++i)
    require(std::isfinite(bias[i]), "pairwise field: node ", i, " has bias ", bias[i],
            ", which must be finite");
  const Index n = bias.size();
  require(start.size() == n + 1 && start.front() == 0 && start.back() == neighbour.size() &&
              neighbour.size() == coupling.size() && std::ranges::is_sorted(start),
          "pairwise field: the rows do not fit ", n, " nodes and ", neighbour.size(), " entries");
  PairwiseField model;
  model.constant = constant;
  model.bias = std::move(bias);
  model.start = std::move(start);
  model.neighbour = std::move(neighbour);
  model.coupling = std::move(coupling);
  for (Index i = 0; i < n; ++i)
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e)
      require_sound_end(model, i, e);
  return model;
}

}  // namespace surefield
