// The sigmoid that the vector loops share: branch-free, the same bits at every vector width.
//
// e^-v = 2^k (Q - rP) / (Q + rP) with k whole, r = v + k log(2), |r| <= log(2)/2, and P, Q polynomials in r^2: the rational form of
// S. L. Moshier, Methods and Programs for Mathematical Functions (Cephes), 1989. A sigmoid is a ratio anyway, so one division serves both:
//
//   sigmoid(v) = D / (D + N),   D = Q + rP,  N = 2^k (Q - rP)
//
// Both ends keep their relative accuracy: N scales by a power of two, and nothing cancels. Of -v it has the bits of N / (D + N).
#pragma once

#include <utility>

namespace surefield::detail {

/// Of K values at once; T is double and Bits its unsigned integer, or both are vectors of them. A sigmoid is a long chain of steps that wait
/// for one another, so K chains go step by step, and the machine works on one while another waits. By reference, since a vector
/// by value needs an instruction set. Inlined into the loops, so that it takes theirs.
template <class T, class Bits, int K>
[[gnu::always_inline]] inline void vector_sigmoids(const T (&v)[K], T (&result)[K]) {
  constexpr double kShift = 0x1.8p52;  // adding it rounds to a whole number, kept in the low bits
  constexpr double kLog2High = 0x1.62e42fee00000p-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  const T farthest = T{} + 707;
  T t[K], shifted[K], k[K], r[K], s[K], p[K], q[K], n[K];
  // A step of all chains, written out: a loop over them would hide their numbers from the vectoriser.
  const auto each = [](const auto& step) __attribute__((always_inline)) {
    [&]<int... J>(std::integer_sequence<int, J...>) __attribute__((always_inline)) {
      (step(J), ...);
    }
    (std::make_integer_sequence<int, K>());
  };
#define SUREFIELD_STEP(...) each([&](int j) __attribute__((always_inline)) { __VA_ARGS__; })
  SUREFIELD_STEP(t[j] = farthest < v[j] ? farthest : v[j]);  // so written that a NaN stays one
  SUREFIELD_STEP(t[j] = -farthest > t[j] ? -farthest : t[j]);
  SUREFIELD_STEP(shifted[j] = kShift - t[j] * 1.4426950408889634);
  SUREFIELD_STEP(k[j] = shifted[j] - kShift);
  SUREFIELD_STEP(r[j] = (t[j] + k[j] * kLog2High) + k[j] * kLog2Low);
  SUREFIELD_STEP(s[j] = r[j] * r[j]);
  SUREFIELD_STEP(p[j] = 1.26177193074810590878e-4 * s[j] + 3.02994407707441961300e-2);
  SUREFIELD_STEP(q[j] = 3.00198505138664455042e-6 * s[j] + 2.52448340349684104192e-3);
  SUREFIELD_STEP(p[j] = r[j] * (p[j] * s[j] + 1.0));
  SUREFIELD_STEP(q[j] = q[j] * s[j] + 2.27265548208155028766e-1);
  SUREFIELD_STEP(q[j] = q[j] * s[j] + 2.0);
  SUREFIELD_STEP(n[j] = __builtin_bit_cast(T, __builtin_bit_cast(Bits, q[j] - p[j]) +
                                                  (__builtin_bit_cast(Bits, shifted[j]) << 52)));
  SUREFIELD_STEP(result[j] = (q[j] + p[j]) / ((q[j] + p[j]) + n[j]));
#undef SUREFIELD_STEP
}

/// Of one.
template <class T, class Bits>
[[gnu::always_inline]] inline void vector_sigmoid(const T& v, T& result) {
  const T of[1] = {v};
  T to[1];
  vector_sigmoids<T, Bits>(of, to);
  result = to[0];
}

}  // namespace surefield::detail
