#include "surefield/core/sigmoid_batch.hpp"

#include <cmath>
#include <cstddef>

#include "surefield/core/vector_exp.hpp"

namespace surefield {

SUREFIELD_VECTOR_CLONES void sigmoid_batch(std::span<double> z) {
  double* const values = z.data();
  const std::size_t count = z.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double v = values[i];
    const double size = std::abs(v);
    const double e = detail::vector_exp(size < 707 ? -size : -707.0);
    const double near = 1 / (1 + e);
    const double result = v < 0 ? e * near : near;  // the smaller probability keeps its accuracy
    values[i] = v == v ? result : v;
  }
}

}  // namespace surefield
