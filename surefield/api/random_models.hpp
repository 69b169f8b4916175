// The laws of the random models that generate() knows, one function each; the table in generate.cpp says them in words.
#pragma once

#include <string>
#include <vector>

#include "surefield/api/generate.hpp"
#include "surefield/core/incidence.hpp"
#include "surefield/core/random.hpp"

namespace surefield::random_models {

std::vector<double> uniform(Index count, double low, double high, Random& random);

/// `groups` random lists of items, each item in with the given chance; a group is never empty if
/// there are items.
std::vector<std::vector<Entry>> random_groups(Index items, Index groups, double density, double low,
                                              double high, Random& random);

// Items in groups: dimensions, concepts, customers, features, places.
AnyModel flid(const GenerateOptions& options);
AnyModel fldc(const GenerateOptions& options);
AnyModel facility_location(const GenerateOptions& options);
AnyModel coverage(const GenerateOptions& options);
AnyModel contested_coverage(const GenerateOptions& options);
AnyModel concave_over_modular(const GenerateOptions& options);
AnyModel log_det(const GenerateOptions& options);

// Grids, graphs and hypergraphs.
AnyModel soft_grid(const GenerateOptions& options);
AnyModel hard_grid(const GenerateOptions& options);
void write_soft_grid(const GenerateOptions& options, const std::string& folder);
void write_hard_grid(const GenerateOptions& options, const std::string& folder);
AnyModel undirected_cut(const GenerateOptions& options);
AnyModel directed_cut(const GenerateOptions& options);
AnyModel hypergraph_cut(const GenerateOptions& options);
AnyModel gibbs(const GenerateOptions& options);

}  // namespace surefield::random_models
