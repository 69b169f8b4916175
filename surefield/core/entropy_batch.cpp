#include "surefield/core/entropy_batch.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "surefield/core/vector_exp.hpp"

namespace surefield {
namespace {

/// log of a positive normal number: 2^k m with m from sqrt(1/2) to sqrt(2), and log m by s = (m-1)/(m+1), as FreeBSD's e_log.c does
/// (K. C. Ng, Sun Microsystems 1993), below 1 ulp.
[[gnu::always_inline]] inline double vector_log(double x) {
  constexpr std::uint64_t kRoot = 0x3fe6a09e00000000U;  // sqrt(1/2), rounded down
  constexpr std::uint64_t kOne = 0x3ff0000000000000U;
  const std::uint64_t moved = std::bit_cast<std::uint64_t>(x) + (kOne - kRoot);
  // 1023 + k in the low bits of 2^52.
  const double k = std::bit_cast<double>((moved >> 52) | 0x4330000000000000U) - (0x1p52 + 1023);
  const double f = std::bit_cast<double>((moved & 0x000fffffffffffffU) + kRoot) - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  const double w = z * z;
  const double odd = w * (3.999999999940941908e-01 +
                          w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double even = z * (6.666666666666735130e-01 +
                           w * (2.857142874366239149e-01 +
                                w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double half = 0.5 * f * f;
  return k * 6.93147180369123816490e-01 -
         ((half - (s * (half + (odd + even)) + k * 1.90821492927058770002e-10)) - f);
}

}  // namespace

SUREFIELD_VECTOR_CLONES void entropy_batch(std::span<double> values) {
  constexpr double kLeast = 0x1p-1022;  // below, the product with the log is nothing
  double* const out = values.data();
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double u = out[i];
    const double w = 1 - u;
    const double lost = (1 - w) - u;  // 1 - u is w + lost, exactly
    const double log_u = vector_log(u < kLeast ? kLeast : u);
    const double log_w = vector_log(w < kLeast ? kLeast : w);
    out[i] = -(u * log_u) - (w * log_w + lost * (1 + log_w));
  }
}

}  // namespace surefield
