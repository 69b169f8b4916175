#include "surefield/api/generate.hpp"

#include <array>
#include <string>

#include "surefield/api/random_models.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/binary/binary_field.hpp"

namespace surefield {
namespace {

constexpr std::array kGenerators{
    GeneratorRow{"flid",
                 "the paper's synthetic FLID: W ~ U(0,1), u ~ 0.1 D U(0,1); n = 20, groups D = 5",
                 random_models::flid},
    GeneratorRow{
        "fldc",
        "W ~ U(0,1); an item is of a concept with chance 0.3 (--density), then V ~ U(0,1); "
        "u ~ U(-2, 0.1 D); n = 20, groups D + E = 6",
        random_models::fldc},
    GeneratorRow{"facility-location",
                 "facilities and customers in the unit square, benefit falling to 0 at distance "
                 "0.4 (--density); n = 20, "
                 "groups = 50",
                 random_models::facility_location},
    GeneratorRow{
        "coverage",
        "items cover concepts with chance 0.2 and probability U(0.2,1); n = 20, groups = 40",
        random_models::coverage},
    GeneratorRow{"contested-coverage",
                 "about five items surely cover each concept, weights U(0,3), costs 0.2 to 0.5 of "
                 "what they cover; n = 40, groups = 2n",
                 random_models::contested_coverage},
    GeneratorRow{
        "soft-grid",
        "Ising grid, biases U(-1,1), couplings U(-1,0): every start reaches one optimum; n = 100",
        random_models::soft_grid, random_models::write_soft_grid},
    GeneratorRow{"hard-grid",
                 "Ising grid, biases U(0,4), couplings U(-4,0): starts differ; n = 100",
                 random_models::hard_grid, random_models::write_hard_grid},
    GeneratorRow{"cut",
                 "undirected random graph of density 0.2, weights U(0,1), biases U(-1,1); n = 30",
                 random_models::undirected_cut},
    GeneratorRow{"directed-cut",
                 "directed random graph of density 0.2, weights U(0,1), biases U(-1,1); n = 30",
                 random_models::directed_cut},
    GeneratorRow{
        "hypergraph-cut",
        "hyperedges holding each node with chance 0.15, weights U(0,1); n = 30, groups = 40",
        random_models::hypergraph_cut},
    GeneratorRow{"gibbs",
                 "third-order field, submodular by construction; n = 20, groups = 2n triples",
                 random_models::gibbs},
    GeneratorRow{
        "concave-over-modular",
        "square roots of sums of U(0,1) features, density 0.3, costs U(0,2); n = 20, groups = 15",
        random_models::concave_over_modular},
    GeneratorRow{"log-det",
                 "DPP with a Gaussian kernel on random points of the unit square; n = 20",
                 random_models::log_det},
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
