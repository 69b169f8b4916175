// The rig must catch what it is for: each wrong objective below breaks one law and nothing else.
#include "tests/support/objective_laws.hpp"

#include <gtest/gtest-spi.h>

#include <memory>

#include "surefield/objectives/quadratic.hpp"

namespace surefield {
namespace {

// f(x, y) = x + y - x^2 - y^2 - x y, with a fault to choose.
enum class Fault { kNone, kValue, kSlope, kRise, kGradient, kSet, kCopy, kNotAntitone };

template <Fault fault>
class Faulty {
 public:
  explicit Faulty(std::span<const double> x)
      : x_(std::make_shared<std::vector<double>>(x.begin(), x.end())) {}
  Faulty(const Faulty& other)
      : x_(fault == Fault::kCopy ? other.x_ : std::make_shared<std::vector<double>>(*other.x_)) {}
  Faulty(Faulty&&) = default;
  Faulty& operator=(const Faulty& other) { return *this = Faulty(other); }
  Faulty& operator=(Faulty&&) = default;

  static constexpr double kCross = fault == Fault::kNotAntitone ? 0.5 : -1;
  static double reference(std::span<const double> x) {
    return x[0] + x[1] - x[0] * x[0] - x[1] * x[1] + kCross * x[0] * x[1];
  }

  struct FaultyLine : QuadraticLine {
    using QuadraticLine::QuadraticLine;
    double slope(double u) const {
      return QuadraticLine::slope(u) + (fault == Fault::kSlope ? 0.05 : 0);
    }
    double rise(double from, double to) const {
      return QuadraticLine::rise(from, to) * (fault == Fault::kRise ? 1.01 : 1);
    }
  };

  Index size() const { return 2; }
  double coordinate(Index i) const { return (*x_)[i]; }
  FaultyLine line(Index i) const {
    return {(*x_)[i], 1 - 2 * (*x_)[i] + kCross * (*x_)[1 - i], -2};
  }
  void gradient(std::span<double> out) const {
    for (Index i = 0; i < 2; ++i) out[i] = line(i).slope((*x_)[i]);
    if (fault == Fault::kGradient) out[1] = out[0];
  }
  double value() const { return reference(*x_) + (fault == Fault::kValue ? 1e-8 : 0); }
  void set(Index i, double v) { (*x_)[fault == Fault::kSet ? 0 : i] = v; }

 private:
  std::shared_ptr<std::vector<double>> x_;
};

template <Fault fault>
std::string first_failure() {
  ::testing::TestPartResultArray failures;
  {
    ::testing::ScopedFakeTestPartResultReporter reporter(&failures);
    testing::check_objective_laws([](auto x) { return Faulty<fault>(x); },
                                  [](auto x) { return Faulty<fault>::reference(x); }, unit_box(2),
                                  1);
  }
  return failures.size() == 0 ? "" : failures.GetTestPartResult(0).message();
}

TEST(ObjectiveLaws, AcceptWhatIsRight) { EXPECT_EQ(first_failure<Fault::kNone>(), ""); }

TEST(ObjectiveLaws, CatchEachFault) {
  EXPECT_NE(first_failure<Fault::kValue>().find("value at move"), std::string::npos);
  EXPECT_NE(first_failure<Fault::kSlope>().find("secant"), std::string::npos);
  EXPECT_NE(first_failure<Fault::kRise>().find("rise along"), std::string::npos);
  EXPECT_NE(first_failure<Fault::kGradient>().find("gradient along"), std::string::npos);
  EXPECT_NE(first_failure<Fault::kSet>().find("another coordinate moved"), std::string::npos);
  EXPECT_NE(first_failure<Fault::kCopy>().find("the copy moved too"), std::string::npos);
  EXPECT_NE(first_failure<Fault::kNotAntitone>().find("not antitone"), std::string::npos);
}

}  // namespace
}  // namespace surefield
