// Hyperedge lists, as hypergraph cut: one hyperedge a line, its nodes by name.
//
//   nodes             optional: the nodes, one a line, then a line `edges`
//   a
//   b
//   c
//   edges
//   {'a', 'b'}        or simply: a b
//   b c
//
// Names are separated by blanks or commas; braces around a line and quotes around a name are taken
// off, and a quoted name may hold either. Without the list of nodes they are numbered as they
// appear. Every hyperedge is undirected with weight 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

namespace surefield {

struct HypergraphFile {
  HypergraphCut model;
  std::vector<std::string> items;
};

HypergraphFile parse_hyperedges(std::string_view text, std::string_view name);
HypergraphFile read_hyperedges(const std::string& path);

/// With the list of nodes; named 1 to n if no names are given. Throws Error if a hyperedge is
/// directed or has not weight 1, or there is a bias.
std::string hyperedges_text(const HypergraphCut& model, const std::vector<std::string>& items = {});

}  // namespace surefield
