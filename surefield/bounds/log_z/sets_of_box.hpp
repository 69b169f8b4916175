// What a log Z is of, beyond the model: the inverse temperature, and the sets that a box allows. As helpers are told (core/helpers.hpp).
#pragma once

#include <optional>
#include <tuple>

#include "surefield/core/box.hpp"
#include "surefield/core/packing.hpp"

namespace surefield {

struct SetsOfBox {
  double beta = 1;
  std::optional<Box> box = {};

  static SetsOfBox of(const Box* box, double beta) {
    return {beta, box != nullptr ? std::optional(*box) : std::nullopt};
  }
  const Box* get() const { return box ? &*box : nullptr; }
};

inline auto fields_of(SetsOfBox& sets) {
  auto& [beta, box] = sets;
  return std::tie(beta, box);
}

}  // namespace surefield
