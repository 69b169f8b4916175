// The exponential that the vector loops share: branch-free, the same bits at every vector width.
//
// e^t = 2^k e^r with k whole and |r| <= log(2)/2, e^r by Taylor to degree 13, whose rest is below
// 1e-17.
#pragma once

#include <bit>
#include <cstdint>

// One copy of a loop per instruction set, chosen when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define SUREFIELD_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SUREFIELD_VECTOR_CLONES
#endif

namespace surefield::detail {

/// For -708 <= t <= 709. Inlined into the loops, so that it takes their instruction set.
[[gnu::always_inline]] inline double vector_exp(double t) {
  constexpr double kShift = 0x1.8p52;  // adding it rounds to a whole number, kept in the low bits
  constexpr double kLog2High = 0x1.62e42fee00000p-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  const double shifted = t * 1.4426950408889634 + kShift;
  const double k = shifted - kShift;
  const double r = (t - k * kLog2High) - k * kLog2Low;
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
  // 2^k in two factors: 2^(k-1) p, then twice, so that k = 1024 does not overflow on the way.
  const auto exponent = (std::bit_cast<std::uint64_t>(shifted) - 1) << 52;
  return 2 * std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + exponent);
}

}  // namespace surefield::detail
