// Random grids, graphs and hypergraphs.
#include <array>
#include <cmath>
#include <utility>

#include "surefield/api/grid_rows.hpp"
#include "surefield/api/random_models.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield::random_models {
namespace {

constexpr GridLaw kSoft{-1, 1, 1};
constexpr GridLaw kHard{0, 4, 4};

GridRows grid_rows(const GenerateOptions& options, const GridLaw& law) {
  return {options.items.value_or(100), law, options.seed};
}

AnyModel grid(GridRows rows) {
  const auto side = static_cast<std::uint32_t>(rows.side());
  std::vector<double> bias;
  std::vector<Edge> edges;
  for (std::uint32_t row = 0; row < side; ++row) {
    const auto next = rows.next_biases();
    bias.insert(bias.end(), next.begin(), next.end());
  }
  for (std::uint32_t row = 0; row < side; ++row) {
    const auto [north, east, south] = rows.next_couplings();
    for (std::uint32_t column = 0; column < side; ++column) {
      const std::uint32_t node = row * side + column;
      if (column + 1 < side) edges.push_back({node, node + 1, east[column]});
      if (!south.empty()) edges.push_back({node, node + side, south[column]});
    }
  }
  return make_pairwise_field(std::move(bias), edges);
}

/// Places of a long list, each chosen with the same chance, in time proportional to those chosen: where they are few, the
/// number of places passed over is drawn, log(u) / log(1 - chance) rounded down.
class RandomPlaces {
 public:
  RandomPlaces(double chance, Random& random) : chance_(chance), random_(random) { skip(); }

  /// Of begin, ..., end - 1, which come next in the list.
  template <class Visit>
  void visit(std::uint64_t begin, std::uint64_t end, Visit&& visit) {
    for (std::uint64_t at = begin; at < end; ++at) {
      if (static_cast<double>(end - at) <= passed_over_) {
        passed_over_ -= static_cast<double>(end - at);
        return;
      }
      at += static_cast<std::uint64_t>(passed_over_);
      passed_over_ = 0;
      if (!few() && !random_.chance(chance_)) continue;
      visit(static_cast<std::uint32_t>(at));
      skip();
    }
  }

 private:
  bool few() const { return chance_ < 0.05; }
  void skip() {
    if (few()) passed_over_ = std::floor(std::log1p(-random_.uniform()) / std::log1p(-chance_));
  }

  double chance_;
  Random& random_;
  double passed_over_ = 0;
};

AnyModel random_cut(const GenerateOptions& options, bool directed) {
  Random random(options.seed);
  const Index n = options.items.value_or(30);
  const double density = options.density.value_or(0.2);
  std::vector<Edge> edges;
  RandomPlaces places_of(density, random);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto add = [&](std::uint32_t j) { edges.push_back({i, j, random.uniform()}); };
    if (directed) places_of.visit(0, i, add);
    places_of.visit(i + 1, n, add);
  }
  return make_graph_cut(uniform(n, -1, 1, random), std::move(edges), directed);
}

}  // namespace

AnyModel soft_grid(const GenerateOptions& options) { return grid(grid_rows(options, kSoft)); }
AnyModel hard_grid(const GenerateOptions& options) { return grid(grid_rows(options, kHard)); }
void write_soft_grid(const GenerateOptions& options, const std::string& folder) {
  write_grid(grid_rows(options, kSoft), folder);
}
void write_hard_grid(const GenerateOptions& options, const std::string& folder) {
  write_grid(grid_rows(options, kHard), folder);
}

AnyModel undirected_cut(const GenerateOptions& options) { return random_cut(options, false); }
AnyModel directed_cut(const GenerateOptions& options) { return random_cut(options, true); }

AnyModel hypergraph_cut(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(30);
  std::vector<Hyperedge> hyperedges;
  for (const auto& group : random_groups(n, options.groups.value_or(40),
                                         options.density.value_or(0.15), 0, 1, random)) {
    std::vector<std::uint32_t> nodes;
    for (const Entry& entry : group) nodes.push_back(entry.index);
    if (!nodes.empty())
      hyperedges.push_back(undirected_hyperedge(std::move(nodes), random.uniform()));
  }
  return make_hypergraph_cut(uniform(n, -1, 1, random), std::move(hyperedges));
}

AnyModel gibbs(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  std::vector<Monomial> terms;
  // A negative triple with its three negative pairs: every pair interaction stays <= 0.
  for (Index t = 0; n >= 3 && t < options.groups.value_or(2 * n); ++t) {
    const auto order = permutation(n, random);
    const std::array<std::uint32_t, 3> abc{static_cast<std::uint32_t>(order[0]),
                                           static_cast<std::uint32_t>(order[1]),
                                           static_cast<std::uint32_t>(order[2])};
    const double strength = random.uniform(-1, 1);
    terms.push_back({{abc[0], abc[1], abc[2]}, strength});
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}})
      terms.push_back({{abc[static_cast<std::size_t>(i)], abc[static_cast<std::size_t>(j)]},
                       -std::abs(strength) - random.uniform()});
  }
  return make_gibbs_field(uniform(n, 0, 4, random), terms);
}

}  // namespace surefield::random_models
