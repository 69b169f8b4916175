// What the spectral bound of a box leaves to the parts of the box: l, d, the triangles that hold it and their multipliers, by items of the field.
// All of it holds on every part as it is; it is where their searches begin. About ten triangles an item: 500 bytes an item.
#pragma once

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/bounds/spectral/triangle_search.hpp"

namespace surefield {

struct SpectralParent {
  std::vector<double> d, l;
  std::vector<Triangle> triangles;  ///< items of the field
  std::vector<float> y;
  bool uses_triangles = false;  ///< without them d alone counts
};

inline auto fields_of(SpectralParent& parent) {
  auto& [d, l, triangles, y, uses_triangles] = parent;
  return std::tie(d, l, triangles, y, uses_triangles);
}

/// Of what was found for the quadratic of a box of a field with so many items.
std::shared_ptr<const SpectralParent> handed_on(const Quadratic& quadratic,
                                                const TriangleSearchResult& found, bool triangles,
                                                Index items);

/// Where the search with triangles begins in a part of the parent's box. Items that the quadratic lost leave pairs of their triangles.
std::pair<SpectralPoint, std::vector<Triangle>> inherited(const Quadratic& quadratic,
                                                          const Box& box,
                                                          const SpectralParent& parent);

}  // namespace surefield
