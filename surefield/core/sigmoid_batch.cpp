#include "surefield/core/sigmoid_batch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

// One copy of the loop per instruction set, chosen when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define SUREFIELD_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SUREFIELD_VECTOR_CLONES
#endif

namespace surefield {
namespace {

/// e^-t for 0 <= t <= 708: 2^k times a polynomial in the rest r, |r| <= log(2)/2, whose truncation
/// is below 1e-17.
inline double exp_of_minus(double t) {
  constexpr double kShift = 0x1.8p52;  // adding it rounds to a whole number, kept in the low bits
  constexpr double kLog2High = 0x1.62e42fee00000p-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  const double shifted = t * -1.4426950408889634 + kShift;
  const double k = shifted - kShift;
  const double r = (-t - k * kLog2High) - k * kLog2Low;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const auto exponent = std::bit_cast<std::uint64_t>(shifted)
                        << 52;  // k in two's complement, moved into place
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + exponent);
}

}  // namespace

SUREFIELD_VECTOR_CLONES void sigmoid_batch(std::span<double> z) {
  double* const values = z.data();
  const std::size_t count = z.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double v = values[i];
    const double size = std::abs(v);
    const double e = exp_of_minus(size < 708 ? size : 708.0);
    const double near = 1 / (1 + e);
    const double result =
        v < 0 ? e * near : near;  // the smaller probability keeps its relative accuracy
    values[i] = v == v ? result : v;
  }
}

}  // namespace surefield
