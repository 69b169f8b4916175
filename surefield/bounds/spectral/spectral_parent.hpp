// What the spectral bound of a box leaves to the parts of the box: l, d, the clique inequalities that hold it and their multipliers, by items of the field.
// All of it holds on every part as it is; it is where their searches begin. About ten an item: 500 bytes an item.
#pragma once

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/bounds/spectral/clique_search.hpp"

namespace surefield {

struct SpectralParent {
  std::vector<double> d, l;
  std::vector<CliqueInequality> cliques;  ///< items of the field
  std::vector<float> y;
  bool uses_cliques = false;  ///< without them d alone counts
};

inline auto fields_of(SpectralParent& parent) {
  auto& [d, l, cliques, y, uses_cliques] = parent;
  return std::tie(d, l, cliques, y, uses_cliques);
}

/// Of what was found for the quadratic of a box of a field with so many items.
std::shared_ptr<const SpectralParent> handed_on(const Quadratic& quadratic,
                                                const CliqueSearchResult& found, bool cliques,
                                                Index items);

/// Where the search with them begins in a part of the parent's box. Items that the quadratic lost leave pairs of their triangles.
std::pair<SpectralPoint, std::vector<CliqueInequality>> inherited(const Quadratic& quadratic,
                                                                  const Box& box,
                                                                  const SpectralParent& parent);

}  // namespace surefield
