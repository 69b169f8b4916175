#include "surefield/core/exp_batch.hpp"

#include <cstddef>

#include "surefield/core/vector_exp.hpp"

namespace surefield {

SUREFIELD_VECTOR_CLONES void exp_batch(std::span<double> z) {
  double* const values = z.data();
  const std::size_t count = z.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double v = values[i];
    const double low = v < -707.0 ? -707.0 : v;
    const double scaled = detail::vector_exp(low > 709.0 ? 709.0 : low);
    const double kept = v < -707.0 ? 0.0 : scaled;
    values[i] = v == v ? kept : v;
  }
}

}  // namespace surefield
