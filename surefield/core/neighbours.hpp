// Who is to be asked again after a coordinate moved: the neighbours of i are the coordinates whose
// lines depend on x_i. A view; what it shows must outlive it.
#pragma once

#include <cstdint>
#include <span>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct Neighbours {
  std::span<const std::size_t> start;  ///< n + 1 of them; the neighbours of i are list[start[i]] ..
  std::span<const std::uint32_t> list;

  bool empty() const { return start.empty(); }
  std::span<const std::uint32_t> of(Index i) const {
    return list.subspan(start[i], start[i + 1] - start[i]);
  }
};

}  // namespace surefield
