// The sigmoid that the vector loops share: branch-free, the same bits at every vector width.
//
// e^-v = 2^k (Q - rP) / (Q + rP) with k whole, r = v + k log(2), |r| <= log(2)/2, and P, Q polynomials in r^2: the rational form of
// S. L. Moshier, Methods and Programs for Mathematical Functions (Cephes), 1989. A sigmoid is a ratio anyway, so one division serves both:
//
//   sigmoid(v) = D / (D + N),   D = Q + rP,  N = 2^k (Q - rP)
//
// Both ends keep their relative accuracy: N scales by a power of two, and nothing cancels. Of -v it has the bits of N / (D + N).
#pragma once

namespace surefield::detail {

/// T is double and Bits its unsigned integer, or both are vectors of them. By reference, since a vector by value needs an
/// instruction set. Inlined into the loops, so that it takes theirs.
template <class T, class Bits>
[[gnu::always_inline]] inline void vector_sigmoid(const T& v, T& result) {
  constexpr double kShift = 0x1.8p52;  // adding it rounds to a whole number, kept in the low bits
  constexpr double kLog2High = 0x1.62e42fee00000p-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  const T farthest = T{} + 707;
  const T below = farthest < v ? farthest : v;  // so written that a NaN stays one
  const T t = -farthest > below ? -farthest : below;
  const T shifted = kShift - t * 1.4426950408889634;
  const T k = shifted - kShift;
  const T r = (t + k * kLog2High) + k * kLog2Low;
  const T s = r * r;
  const T p = r * ((1.26177193074810590878e-4 * s + 3.02994407707441961300e-2) * s + 1.0);
  const T q = ((3.00198505138664455042e-6 * s + 2.52448340349684104192e-3) * s +
               2.27265548208155028766e-1) *
                  s +
              2.0;
  const T d = q + p;
  const T difference = q - p;
  const T n = __builtin_bit_cast(
      T, __builtin_bit_cast(Bits, difference) + (__builtin_bit_cast(Bits, shifted) << 52));
  result = d / (d + n);
}

}  // namespace surefield::detail
