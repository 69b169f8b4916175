// Many products of factors in [0, 1] side by side, each factor replaceable, each product readable
// without any one of them.
//
// As core/scaled_product.hpp, but in two arrays, of mantissas in [1, 2) and of exponents, and
// without branches: loops for SIMD lanes. A factor 0 is a mantissa 1 with the exponent -2^44, so it
// can leave again, and a product with an exponent that low reads as 0. Factors must be 0 or in
// [1e-280, 1]. Rounding drifts by about an ulp a replacement; rebuild now and then.
#pragma once

#include <bit>
#include <cstdint>

namespace surefield {

struct Scaled {
  static constexpr std::int64_t kZero = -(std::int64_t{1} << 44);
  double mantissa = 1;
  std::int64_t exponent = 0;

  /// Of a finite positive normal number.
  static Scaled of(double v) {
    const auto bits = std::bit_cast<std::uint64_t>(v);
    return {std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U),
            static_cast<std::int64_t>(bits >> 52) - 1023};
  }
  /// mantissa 2^exponent for an exponent of at most 1023; 0 where that is subnormal.
  double value() const {
    const std::int64_t biased = exponent < -1022 ? 0 : exponent + 1023;
    return mantissa * std::bit_cast<double>(static_cast<std::uint64_t>(biased) << 52);
  }
};

/// products_q *= after_q / before_q, q < count.
inline void replace_factors(double* mantissa, std::int64_t* exponent, const double* before,
                            const double* after, std::size_t count) {
  for (std::size_t q = 0; q < count; ++q) {
    const double out = before[q] == 0 ? 1 : before[q];
    const double in = after[q] == 0 ? 1 : after[q];
    const std::int64_t zeros =
        (after[q] == 0 ? Scaled::kZero : 0) - (before[q] == 0 ? Scaled::kZero : 0);
    const Scaled product = Scaled::of(mantissa[q] * in / out);
    mantissa[q] = product.mantissa;
    exponent[q] += product.exponent + zeros;
  }
}

/// One product without one of its factors.
inline double without_factor(double mantissa, std::int64_t exponent, double factor) {
  Scaled rest = Scaled::of(mantissa / (factor == 0 ? 1 : factor));
  rest.exponent += exponent - (factor == 0 ? Scaled::kZero : 0);
  return rest.value();
}

}  // namespace surefield
