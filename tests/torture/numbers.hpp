// The numbers that problems are made of: usual ones, and those that break careless code.
//
// A problem draws one way of drawing and uses it throughout, so that a model is of huge numbers, of
// tiny ones, of both, of equal ones, or of such that cancel.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "surefield/core/random.hpp"

namespace surefield::torture {

enum class Sizes {
  kUsual,       ///< [0, 2)
  kWhole,       ///< 0, 1, 2, 3
  kDecades,     ///< 1e-12 to 1e12
  kTies,        ///< one number, or 0
  kScaled,      ///< usual, times one power of ten from 1e-300 to 1e300
  kHuge,        ///< 1 to 1e300
  kTiny,        ///< 1e-300 to 1
  kAll,         ///< 1e-300 to 1e300
  kCancelling,  ///< 1e12 and a little
  kDenormal,    ///< below 1e-308
  kLargest      ///< next to the largest double
};

class Numbers {
 public:
  explicit Numbers(Random& random) : random_(random) {
    constexpr std::array kKinds{
        Sizes::kUsual,   Sizes::kUsual,      Sizes::kUsual,     Sizes::kUsual,  Sizes::kUsual,
        Sizes::kUsual,   Sizes::kUsual,      Sizes::kWhole,     Sizes::kWhole,  Sizes::kDecades,
        Sizes::kDecades, Sizes::kTies,       Sizes::kTies,      Sizes::kScaled, Sizes::kScaled,
        Sizes::kHuge,    Sizes::kTiny,       Sizes::kAll,       Sizes::kAll,    Sizes::kDenormal,
        Sizes::kLargest, Sizes::kCancelling, Sizes::kCancelling};
    kind_ = kKinds[random.below(kKinds.size())];
    scale_ = power(-300, 300);
    constexpr std::array kEqual{1.0, 0.5, 3.0, 1e300, 1e-300, 5e-324, 0.1, 0.0};
    tie_ = kEqual[random.below(kEqual.size())];
    zeros_ = random.chance(0.5) ? 0 : 0.2;
  }

  Sizes kind() const { return kind_; }
  /// A temperature at which scaled numbers are usual ones, if there is one.
  double scale() const { return kind_ == Sizes::kScaled ? scale_ : 1; }

  /// >= 0.
  double size() {
    if (random_.chance(zeros_)) return 0;
    switch (kind_) {
      case Sizes::kUsual:
        return random_.uniform(0, 2);
      case Sizes::kWhole:
        return static_cast<double>(random_.below(4));
      case Sizes::kDecades:
        return power(-12, 12);
      case Sizes::kTies:
        return tie_;
      case Sizes::kScaled:
        return scale_ * random_.uniform(0, 2);
      case Sizes::kHuge:
        return power(0, 300);
      case Sizes::kTiny:
        return power(-300, 0);
      case Sizes::kAll:
        return random_.chance(0.3) ? random_.uniform(0, 2) : power(-300, 300);
      case Sizes::kCancelling:
        return 1e12 + (random_.chance(0.3) ? 0 : random_.uniform(-1, 1));
      case Sizes::kDenormal:
        return 5e-324 * static_cast<double>(random_.below(1ULL << 52));
      case Sizes::kLargest:
        return std::numeric_limits<double>::max() * random_.uniform(0, 0.3);
    }
    return 0;
  }
  double either_sign() { return random_.chance(0.5) ? size() : -size(); }
  /// [0, 1], often an end or next to one.
  double probability() {
    constexpr std::array kEnds{0.0, 1.0, 1.0, 0.5, 1e-300, 5e-324, 1 - 0x1p-53, 1e-17};
    return random_.chance(0.5) ? random_.uniform() : kEnds[random_.below(kEnds.size())];
  }
  double power(double low, double high) { return std::pow(10, random_.uniform(low, high)); }

 private:
  Random& random_;
  Sizes kind_;
  double scale_, tie_, zeros_;
};

}  // namespace surefield::torture
