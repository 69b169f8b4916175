#include "surefield/api/generate.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "surefield/api/grid_rows.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/io/binary/binary_field.hpp"
#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield {
namespace {

std::vector<double> uniform(Index count, double low, double high, Random& random) {
  std::vector<double> values(count);
  for (double& v : values) v = random.uniform(low, high);
  return values;
}

/// `groups` random lists of items, each item in with the given chance; a group is never empty if
/// there are items.
std::vector<std::vector<Entry>> random_groups(Index items, Index groups, double density, double low,
                                              double high, Random& random) {
  std::vector<std::vector<Entry>> result(groups);
  for (auto& group : result) {
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(density)) group.push_back({i, random.uniform(low, high)});
    if (group.empty() && items > 0)
      group.push_back({static_cast<std::uint32_t>(random.below(items)), random.uniform(low, high)});
  }
  return result;
}

AnyModel flid(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index dimensions = options.groups.value_or(5);
  auto weights = uniform(n * dimensions, 0, 1, random);
  auto utility = uniform(n, 0, 0.1 * static_cast<double>(dimensions), random);
  return make_flid(std::move(utility), std::move(weights), dimensions);
}

/// Half of the groups are concepts, each of the items of that chance.
AnyModel fldc(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index groups = options.groups.value_or(6);
  const Index concepts = groups / 2;
  const Index dimensions = groups - concepts;
  auto weights = uniform(n * dimensions, 0, 1, random);
  auto utility = uniform(n, -2, 0.1 * static_cast<double>(dimensions), random);
  std::vector<double> coherence(n * concepts, 0);
  for (double& v : coherence)
    if (random.chance(options.density.value_or(0.3))) v = random.uniform(0, 1);
  return make_fldc(std::move(utility), std::move(weights), dimensions, std::move(coherence),
                   concepts);
}

struct Place {
  double east, north;
};

std::vector<Place> places(Index count, Random& random) {
  std::vector<Place> result(count);
  for (Place& place : result) place = {random.uniform(), random.uniform()};
  return result;
}

double distance(const Place& a, const Place& b) {
  return std::hypot(a.east - b.east, a.north - b.north);
}

AnyModel facility_location(const GenerateOptions& options) {
  Random random(options.seed);
  const auto facilities = places(options.items.value_or(20), random);
  const auto customers = places(options.groups.value_or(50), random);
  const double reach = options.density.value_or(0.4);
  std::vector<std::vector<Entry>> benefit(customers.size());
  for (Index c = 0; c < customers.size(); ++c)
    for (std::uint32_t f = 0; f < facilities.size(); ++f)
      if (const double gap = distance(customers[c], facilities[f]); gap < reach)
        benefit[c].push_back({f, 1 - gap / reach});
  return make_facility_location(uniform(facilities.size(), 0.5, 3, random), benefit);
}

AnyModel coverage(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index concepts = options.groups.value_or(40);
  auto cost = uniform(n, 0, 3, random);
  auto weight = uniform(concepts, 0, 2, random);
  return make_coverage(std::move(cost), std::move(weight),
                       random_groups(n, concepts, options.density.value_or(0.2), 0.2, 1, random));
}

/// Hard to certify: items that share what they cover, at costs near a third of it.
AnyModel contested_coverage(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(40);
  const Index concepts = options.groups.value_or(2 * n);
  const double density =
      options.density.value_or(std::min(1.0, 5 / static_cast<double>(std::max<Index>(n, 1))));
  auto weight = uniform(concepts, 0, 3, random);
  const auto members = random_groups(n, concepts, density, 1, 1, random);
  std::vector<double> cost(n, 0);
  for (Index c = 0; c < concepts; ++c)
    for (const Entry& member : members[c])
      cost[member.index] += weight[c] * random.uniform(0.2, 0.5);
  return make_coverage(std::move(cost), std::move(weight), members);
}

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

AnyModel soft_grid(const GenerateOptions& options) { return grid(grid_rows(options, kSoft)); }
AnyModel hard_grid(const GenerateOptions& options) { return grid(grid_rows(options, kHard)); }
void write_soft_grid(const GenerateOptions& options, const std::string& folder) {
  write_grid(grid_rows(options, kSoft), folder);
}
void write_hard_grid(const GenerateOptions& options, const std::string& folder) {
  write_grid(grid_rows(options, kHard), folder);
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

AnyModel concave_over_modular(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index groups = options.groups.value_or(15);
  std::vector<ConcaveOverModular::Group> shapes;
  for (Index g = 0; g < groups; ++g)
    shapes.push_back({random.uniform(0.5, 2), {Concave::Kind::kPower, 0.5}});
  auto members = random_groups(n, groups, options.density.value_or(0.3), 0, 1, random);
  return make_concave_over_modular(uniform(n, -2, 0, random), std::move(shapes), members);
}

AnyModel log_det(const GenerateOptions& options) {
  Random random(options.seed);
  const auto points = places(options.items.value_or(20), random);
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd kernel(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const double gap =
          distance(points[static_cast<Index>(i)], points[static_cast<Index>(j)]) / 0.2;
      kernel(i, j) = 2 * std::exp(-gap * gap / 2) + (i == j ? 0.1 : 0);
    }
  return make_log_det(std::move(kernel), 1000, options.seed);
}

constexpr std::array kGenerators{
    GeneratorRow{"flid",
                 "the paper's synthetic FLID: W ~ U(0,1), u ~ 0.1 D U(0,1); n = 20, groups D = 5",
                 flid},
    GeneratorRow{
        "fldc",
        "W ~ U(0,1); an item is of a concept with chance 0.3 (--density), then V ~ U(0,1); "
        "u ~ U(-2, 0.1 D); n = 20, groups D + E = 6",
        fldc},
    GeneratorRow{"facility-location",
                 "facilities and customers in the unit square, benefit falling to 0 at distance "
                 "0.4 (--density); n = 20, "
                 "groups = 50",
                 facility_location},
    GeneratorRow{
        "coverage",
        "items cover concepts with chance 0.2 and probability U(0.2,1); n = 20, groups = 40",
        coverage},
    GeneratorRow{"contested-coverage",
                 "about five items surely cover each concept, weights U(0,3), costs 0.2 to 0.5 of "
                 "what they cover; n = 40, groups = 2n",
                 contested_coverage},
    GeneratorRow{
        "soft-grid",
        "Ising grid, biases U(-1,1), couplings U(-1,0): every start reaches one optimum; n = 100",
        soft_grid, write_soft_grid},
    GeneratorRow{"hard-grid",
                 "Ising grid, biases U(0,4), couplings U(-4,0): starts differ; n = 100", hard_grid,
                 write_hard_grid},
    GeneratorRow{"cut",
                 "undirected random graph of density 0.2, weights U(0,1), biases U(-1,1); n = 30",
                 undirected_cut},
    GeneratorRow{"directed-cut",
                 "directed random graph of density 0.2, weights U(0,1), biases U(-1,1); n = 30",
                 directed_cut},
    GeneratorRow{
        "hypergraph-cut",
        "hyperedges holding each node with chance 0.15, weights U(0,1); n = 30, groups = 40",
        hypergraph_cut},
    GeneratorRow{"gibbs",
                 "third-order field, submodular by construction; n = 20, groups = 2n triples",
                 gibbs},
    GeneratorRow{
        "concave-over-modular",
        "square roots of sums of U(0,1) features, density 0.3, costs U(0,2); n = 20, groups = 15",
        concave_over_modular},
    GeneratorRow{"log-det",
                 "DPP with a Gaussian kernel on random points of the unit square; n = 20", log_det},
};

}  // namespace

std::span<const GeneratorRow> generator_table() { return kGenerators; }

void generate_binary(std::string_view name, const GenerateOptions& options,
                     const std::string& folder) {
  for (const auto& row : kGenerators)
    if (row.name == name && row.write != nullptr) return row.write(options, folder);
  ModelFile file;
  file.model = generate(name, options);
  file.box = unit_box(file.model.size());
  write_binary_model(folder, file);
}

AnyModel generate(std::string_view name, const GenerateOptions& options) {
  constexpr Index kMost =
      100'000'000;  // entries; beyond this an instance would not fit a small machine
  const double density = options.density.value_or(1);
  require(density > 0 && density <= 1, "generate: the density is ", density,
          ", which must be in (0, 1]");
  const Index n = options.items.value_or(1);
  const Index groups = options.groups.value_or(1);
  require(n <= kMost && groups <= kMost && (groups == 0 || n <= kMost / groups), "generate: ", n,
          " items times ", groups, " groups is more than the limit of ", kMost, " entries");
  std::string known;
  for (const auto& row : kGenerators) {
    if (row.name == name) return row.make(options);
    known += known.empty() ? "" : ", ";
    known += row.name;
  }
  fail("generate: '", name, "' is not known; there are ", known);
}

}  // namespace surefield
