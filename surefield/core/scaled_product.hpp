// A product of factors in [0, 1] that can be replaced one by one, and asked for without any one.
//
// Kept as (number of zero factors, mantissa, scale), the product of the other factors being
// mantissa * 2^(256 scale): a factor 0 is counted, not multiplied in, so it can leave again, and
// 2000 factors of 1/2 do not underflow. The mantissa stays within 2^-256 .. 2^256, so that most
// products never need the scale. Cost: O(1) per operation, a multiplication or a division.
// Rounding drifts by about one ulp a replacement; states rebuild their products once in a while
// where that matters.
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
    if (factor < kTiny) [[unlikely]] {
      factor *= kTinyUp;
      scale_ -= 2;
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
    if (factor < kTiny) [[unlikely]] {
      factor *= kTinyUp;
      scale_ += 2;
    }
    mantissa_ /= factor;
    normalise();
  }

  double value() const { return zeros_ > 0 ? 0 : scaled(mantissa_, scale_); }

  /// The product of all the other factors, `factor` being one of those multiplied in.
  double without(double factor) const {
    if (factor == 0) return zeros_ > 1 ? 0 : scaled(mantissa_, scale_);
    if (zeros_ > 0) return 0;
    if (factor < kTiny) [[unlikely]]
      return scaled(mantissa_ / (factor * kTinyUp), scale_ + 2);
    return scaled(mantissa_ / factor, scale_);
  }

 private:
  // A factor below kTiny is scaled up first: then no mantissa leaves the range of a double before
  // it is normalised.
  static constexpr double kTiny = 0x1p-512;
  static constexpr double kTinyUp = 0x1p512;

  void normalise() {
    while (mantissa_ < 0x1p-256) [[unlikely]] {
        mantissa_ *= 0x1p256;
        --scale_;
      }
    while (mantissa_ > 0x1p256) [[unlikely]] {
        mantissa_ *= 0x1p-256;
        ++scale_;
      }
  }
  static double scaled(double mantissa, std::int32_t scale) {
    if (scale == 0) [[likely]]
      return mantissa;
    if (scale < -9) return 0;  // as no mantissa exceeds 2^818
    return std::ldexp(mantissa, 256 * (scale > 9 ? 9 : scale));
  }

  double mantissa_ = 1;
  std::int32_t scale_ = 0;
  std::int32_t zeros_ = 0;
};

}  // namespace surefield
