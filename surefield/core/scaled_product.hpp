// A product of factors in [0, 1] that can be replaced one by one, and asked for without any one of
// them.
//
// Kept as (number of zero factors, mantissa in [1/2, 1), integer exponent): a factor 0 is counted,
// not multiplied in, so it can leave again, and 2000 factors of 1/2 do not underflow. Cost: O(1)
// per operation. Rounding drifts by about one ulp a replacement (4e-14 after 2e5); states rebuild
// their products once in a while where that matters.
#pragma once

#include <cmath>
#include <cstdint>

namespace surefield {

class ScaledProduct {
 public:
  void multiply(double factor) {
    if (factor == 0) {
      ++zeros_;
      return;
    }
    mantissa_ *= factor;
    normalise();
  }

  /// Takes out a factor that was multiplied in before.
  void divide(double factor) {
    if (factor == 0) {
      --zeros_;
      return;
    }
    mantissa_ /= factor;
    normalise();
  }

  double value() const { return zeros_ > 0 ? 0 : std::ldexp(mantissa_, exponent()); }

  /// The product of all the other factors, `factor` being one of those multiplied in.
  double without(double factor) const {
    if (factor == 0) return zeros_ > 1 ? 0 : std::ldexp(mantissa_, exponent());
    return zeros_ > 0 ? 0 : std::ldexp(mantissa_ / factor, exponent());
  }

 private:
  void normalise() {
    int shift = 0;
    mantissa_ = std::frexp(mantissa_, &shift);
    exponent_ += shift;
  }
  int exponent() const {  // ldexp takes an int; beyond +-5000 every double is 0 or infinite
    return static_cast<int>(exponent_ < -5000 ? -5000 : exponent_ > 5000 ? 5000 : exponent_);
  }

  double mantissa_ = 1;  // in [1/2, 1) after the first factor
  std::int64_t exponent_ = 0;
  std::int64_t zeros_ = 0;
};

}  // namespace surefield
