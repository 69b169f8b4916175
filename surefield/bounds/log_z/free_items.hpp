// Which items a box decides: in where its interval is 1, out where it is 0, free where it is
// [0, 1].
#pragma once

#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

struct FreeItems {
  Assignment value;         ///< per item: 0, 1 or kFree
  std::vector<Index> in;    ///< in every set
  std::vector<Index> free;  ///< ascending, as `in`
};

/// No box leaves all n items free. Throws Error, naming the asking method, for a box of another
/// size and for any other interval.
FreeItems free_items(const Box* box, Index n, std::string_view method);

/// Throws Error, naming the asking method, unless beta is finite and >= 0.
void require_inverse_temperature(double beta, std::string_view method);
/// The same for beta > 0: a bound that divides by it or sums with it as a weight.
void require_positive_inverse_temperature(double beta, std::string_view method);

}  // namespace surefield
