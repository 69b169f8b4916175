// A number with its derivative along one direction: forward differentiation by operator overloads.
//
//   (a + a' t) (b + b' t) = a b + (a' b + a b') t          t^2 = 0
//
// A polynomial evaluated on duals gives its value and its directional derivative, exact to
// rounding. Multilinear extensions are polynomials, so sums and products are all that is needed.
#pragma once

namespace surefield {

struct Dual {
  double value = 0;
  double tangent = 0;

  Dual() = default;
  Dual(double v, double t = 0) : value(v), tangent(t) {}  // NOLINT: a number is a dual

  Dual& operator+=(Dual b) {
    value += b.value;
    tangent += b.tangent;
    return *this;
  }
  Dual& operator*=(Dual b) {
    tangent = tangent * b.value + value * b.tangent;
    value *= b.value;
    return *this;
  }
};

inline Dual operator+(Dual a, Dual b) { return a += b; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.tangent - b.tangent}; }
inline Dual operator*(Dual a, Dual b) { return a *= b; }

}  // namespace surefield
