// The rig must catch what it is for: each wrong objective below breaks one law and nothing else.
#include "tests/support/objective_laws.hpp"

#include <gtest/gtest-spi.h>

#include <memory>

#include "surefield/objectives/quadratic.hpp"

namespace surefield {
namespace {

// f(x, y) = x + y - x^2 - y^2 - x y, with a fault to choose.
enum class LineFault { kNone, kValue, kSlope, kRise, kGradient, kSet, kCopy, kNotAntitone };

template <LineFault fault>
class WrongObjective {
 public:
  explicit WrongObjective(std::span<const double> x)
      : x_(std::make_shared<std::vector<double>>(x.begin(), x.end())) {}
  WrongObjective(const WrongObjective& other)
      : x_(fault == LineFault::kCopy ? other.x_
                                     : std::make_shared<std::vector<double>>(*other.x_)) {}
  WrongObjective(WrongObjective&&) = default;
  WrongObjective& operator=(const WrongObjective& other) { return *this = WrongObjective(other); }
  WrongObjective& operator=(WrongObjective&&) = default;

  static constexpr double kCross = fault == LineFault::kNotAntitone ? 0.5 : -1;
  static double reference(std::span<const double> x) {
    return x[0] + x[1] - x[0] * x[0] - x[1] * x[1] + kCross * x[0] * x[1];
  }

  struct WrongLine : QuadraticLine {
    using QuadraticLine::QuadraticLine;
    double slope(double u) const {
      return QuadraticLine::slope(u) + (fault == LineFault::kSlope ? 0.05 : 0);
    }
    double rise(double from, double to) const {
      return QuadraticLine::rise(from, to) * (fault == LineFault::kRise ? 1.01 : 1);
    }
  };

  Index size() const { return 2; }
  double coordinate(Index i) const { return (*x_)[i]; }
  WrongLine line(Index i) const { return {(*x_)[i], 1 - 2 * (*x_)[i] + kCross * (*x_)[1 - i], -2}; }
  void gradient(std::span<double> out) const {
    for (Index i = 0; i < 2; ++i) out[i] = line(i).slope((*x_)[i]);
    if (fault == LineFault::kGradient) out[1] = out[0];
  }
  double value() const { return reference(*x_) + (fault == LineFault::kValue ? 1e-8 : 0); }
  void set(Index i, double v) { (*x_)[fault == LineFault::kSet ? 0 : i] = v; }

 private:
  std::shared_ptr<std::vector<double>> x_;
};

template <LineFault fault>
std::string first_failure() {
  ::testing::TestPartResultArray failures;
  {
    ::testing::ScopedFakeTestPartResultReporter reporter(&failures);
    testing::check_objective_laws([](auto x) { return WrongObjective<fault>(x); },
                                  [](auto x) { return WrongObjective<fault>::reference(x); },
                                  unit_box(2), 1);
  }
  return failures.size() == 0 ? "" : failures.GetTestPartResult(0).message();
}

TEST(ObjectiveLaws, AcceptWhatIsRight) { EXPECT_EQ(first_failure<LineFault::kNone>(), ""); }

TEST(ObjectiveLaws, CatchEachFault) {
  EXPECT_NE(first_failure<LineFault::kValue>().find("value at move"), std::string::npos);
  EXPECT_NE(first_failure<LineFault::kSlope>().find("secant"), std::string::npos);
  EXPECT_NE(first_failure<LineFault::kRise>().find("rise along"), std::string::npos);
  EXPECT_NE(first_failure<LineFault::kGradient>().find("gradient along"), std::string::npos);
  EXPECT_NE(first_failure<LineFault::kSet>().find("another coordinate moved"), std::string::npos);
  EXPECT_NE(first_failure<LineFault::kCopy>().find("the copy moved too"), std::string::npos);
  EXPECT_NE(first_failure<LineFault::kNotAntitone>().find("not antitone"), std::string::npos);
}

}  // namespace
}  // namespace surefield
