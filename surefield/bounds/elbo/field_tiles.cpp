#include "surefield/bounds/elbo/field_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kInnermost = 1e-9;  // of a point where the entropy is differentiated

}  // namespace

FieldTiles::FieldTiles(const PairwiseField& model, const GraphTiles& tiles,
                       std::span<const double> point)
    : tiles_(tiles.count), size_(model.size()) {
  const Index n = model.size();
  // Whose copies: the tile of the node, and the tiles of those of smaller number that it is joined to.
  std::vector<std::uint32_t> held;
  std::vector<std::size_t> first(n + 1, 0);
  std::vector<Copy> all;
  for (Index i = 0; i < n; ++i) {
    held.assign(1, tiles.of_node[i]);
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e)
      if (model.neighbour[e] < i) held.push_back(tiles.of_node[model.neighbour[e]]);
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    for (const std::uint32_t t : held) {
      all.push_back({t, static_cast<std::uint32_t>(tiles_[t].node.size())});
      tiles_[t].node.push_back(static_cast<std::uint32_t>(i));
    }
    first[i + 1] = all.size();
  }
  const auto local = [&](Index i, std::uint32_t tile) {
    std::size_t c = first[i];
    while (all[c].tile != tile) ++c;
    return all[c].local;
  };
  for (FieldTile& tile : tiles_) {
    tile.bias.assign(tile.node.size(), 0);
    tile.share.assign(tile.node.size(), 0);
  }
  for (const auto& [from, to, weight] : model.edges()) {
    FieldTile& tile = tiles_[tiles.of_node[from]];
    const Edge edge{local(from, tiles.of_node[from]), local(to, tiles.of_node[from]), weight};
    tile.edges.push_back(edge);
    tile.bias[edge.from] -= weight * point[to];  // so that the point is stationary, see below
    tile.bias[edge.to] -= weight * point[from];
    tile.share[edge.from] += std::abs(weight);
    tile.share[edge.to] += std::abs(weight);
  }
  for (Index i = 0; i < n; ++i) {
    const std::span<const Copy> of_node = std::span(all).subspan(first[i], first[i + 1] - first[i]);
    if (of_node.size() == 1) {
      FieldTile& tile = tiles_[of_node[0].tile];
      tile.bias[of_node[0].local] = model.bias[i];
      tile.share[of_node[0].local] = 1;
      continue;
    }
    double total = 0, rest = model.bias[i];
    for (const auto& [t, k] : of_node) total += tiles_[t].share[k];
    const double slope = logit(std::clamp(point[i], kInnermost, 1 - kInnermost));
    for (const auto& [t, k] : of_node) {
      FieldTile& tile = tiles_[t];
      tile.share[k] = total > 0 ? tile.share[k] / total : 1 / static_cast<double>(of_node.size());
      tile.bias[k] += tile.share[k] * slope;
      rest -= tile.bias[k];
    }
    for (const auto& [t, k] : of_node) tiles_[t].bias[k] += tiles_[t].share[k] * rest;
    copies_.insert(copies_.end(), of_node.begin(), of_node.end());
    start_.push_back(copies_.size());
    bias_.push_back(model.bias[i]);
    coupling_.push_back(total);
  }
}

std::vector<double> FieldTiles::mean(std::span<const std::vector<double>> values) const {
  std::vector<double> x(size_, 0);
  for (std::uint32_t t = 0; t < tiles_.size(); ++t)
    for (std::size_t k = 0; k < tiles_[t].node.size(); ++k) x[tiles_[t].node[k]] = values[t][k];
  for (Index s = 0; s < shared(); ++s) {
    double sum = 0;
    for (const auto& [t, k] : copies(s)) sum += values[t][k];
    const auto& [t, k] = copies(s).front();
    x[tiles_[t].node[k]] = sum / static_cast<double>(copies(s).size());
  }
  return x;
}

void FieldTiles::agree(std::span<const std::vector<double>> values, double step) {
  for (Index s = 0; s < shared(); ++s) {
    double mean = 0;
    for (const auto& [t, k] : copies(s)) mean += values[t][k];
    mean /= static_cast<double>(copies(s).size());
    for (const auto& [t, k] : copies(s))
      tiles_[t].bias[k] -= step * coupling_[s] * (values[t][k] - mean);
  }
}

double FieldTiles::missing() const {
  constexpr double kMostEntropy = 0.6931471805599454;  // log 2, rounded up
  double sum = 0;
  for (Index s = 0; s < shared(); ++s) {
    double rest = bias_[s], share = 1, size = std::abs(bias_[s]) + 2;
    for (const auto& [t, k] : copies(s)) {
      rest -= tiles_[t].bias[k];
      share -= tiles_[t].share[k];
      size += std::abs(tiles_[t].bias[k]);
    }
    sum += std::abs(rest) + kMostEntropy * std::abs(share) +
           gamma_of(2 * static_cast<double>(copies(s).size()) + 4) * size;
  }
  return sum * (1 + gamma_of(static_cast<double>(shared()) + 4));
}

}  // namespace surefield
