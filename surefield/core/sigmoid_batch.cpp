#include "surefield/core/sigmoid_batch.hpp"

#include <cstddef>
#include <cstdint>

#include "surefield/core/vector_exp.hpp"
#include "surefield/core/vector_sigmoid.hpp"

namespace surefield {

SUREFIELD_VECTOR_CLONES void sigmoid_batch(std::span<double> z) {
  double* const values = z.data();
  const std::size_t count = z.size();
  for (std::size_t i = 0; i < count; ++i) {
    double s;
    detail::vector_sigmoid<double, std::uint64_t>(values[i], s);
    values[i] = s;
  }
}

}  // namespace surefield
