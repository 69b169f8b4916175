// The law rigs themselves, held to models that are wrong on purpose: each broken law must be
// noticed, by its name.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <functional>

#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "tests/support/line_laws.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

enum class Fault {
  kNone,
  kCoordinate,
  kValue,
  kPartial,
  kOwnCoordinate,
  kGradient,
  kShared,
  kGain,
  kAdd,
  kSetValue
};

/// A pairwise field whose states have one fault.
struct Faulty {
  PairwiseField field;
  Fault fault;

  class State {
   public:
    State(const Faulty& model, std::span<const double> x)
        : state_(model.field.at(x)), fault_(model.fault), shared_(std::make_shared<double>(0)) {}
    Index size() const { return state_.size(); }
    double coordinate(Index i) const { return state_.coordinate(i); }
    double partial(Index i) const {
      if (fault_ == Fault::kPartial) return state_.partial(i) + 1e-3;
      if (fault_ == Fault::kOwnCoordinate) return state_.partial(i) + 1e-3 * state_.coordinate(i);
      if (fault_ == Fault::kShared) return state_.partial(i) + *shared_;
      return state_.partial(i);
    }
    void gradient(std::span<double> out) const {
      state_.gradient(out);
      if (fault_ == Fault::kGradient && !out.empty()) out.back() += 1e-3;
    }
    double value() const { return state_.value() + moves_ * (fault_ == Fault::kValue ? 1e-6 : 0); }
    void set(Index i, double v) {
      moves_ += 1;
      *shared_ += 1e-3;
      state_.set(i, fault_ == Fault::kCoordinate ? v / 2 : v);
    }

   private:
    PairwiseField::State state_;
    Fault fault_;
    double moves_ = 0;
    std::shared_ptr<double> shared_;  // a copy that shares memory with its original moves with it
  };

  class Set {
   public:
    explicit Set(const Faulty& model) : set_(model.field.empty_set()), fault_(model.fault) {}
    Index size() const { return set_.size(); }
    bool contains(Index i) const { return set_.contains(i); }
    double gain(Index i) const {
      return set_.gain(i) + (fault_ == Fault::kGain && set_.contains(i) ? 1e-3 : 0);
    }
    double value() const { return set_.value() + (fault_ == Fault::kSetValue ? 1e-3 : 0); }
    void add(Index i) {
      if (fault_ != Fault::kAdd) set_.add(i);
    }
    void remove(Index i) { set_.remove(i); }

   private:
    PairwiseField::Set set_;
    Fault fault_;
  };

  Index size() const { return field.size(); }
  double evaluate(Subset chosen) const { return field.evaluate(chosen); }
  State at(std::span<const double> x) const { return {*this, x}; }
  Set empty_set() const { return Set(*this); }
};

Faulty faulty(Fault fault) { return {testing::random_pairwise(6, 0.6, 5), fault}; }

/// The failures that the action reports, in one text.
std::string failures_of(const std::function<void()>& action) {
  ::testing::TestPartResultArray results;
  {
    ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    action();
  }
  std::string text;
  for (int k = 0; k < results.size(); ++k) text += results.GetTestPartResult(k).message();
  return text;
}

std::string state_failures(Fault fault) {
  return failures_of([fault] { testing::check_state_laws(faulty(fault), 1); });
}
std::string set_failures(Fault fault) {
  return failures_of([fault] { testing::check_set_laws(faulty(fault), 1); });
}
bool names(const std::string& text, const std::string& law) {
  return text.find(law) != std::string::npos;
}

TEST(LawRig, FindsNothingWrongWithARightModel) {
  EXPECT_EQ(state_failures(Fault::kNone), "");
  EXPECT_EQ(set_failures(Fault::kNone), "");
}

TEST(LawRig, NoticesEveryBrokenLawOfAState) {
  EXPECT_TRUE(names(state_failures(Fault::kCoordinate), "L1"));
  EXPECT_TRUE(names(state_failures(Fault::kValue), "L2"));
  EXPECT_TRUE(names(state_failures(Fault::kPartial), "L3"));
  EXPECT_TRUE(names(state_failures(Fault::kOwnCoordinate), "L3"));
  EXPECT_TRUE(names(state_failures(Fault::kShared), "L5"));
  EXPECT_TRUE(names(state_failures(Fault::kGradient), "L6"));
}

TEST(LawRig, NoticesAFunctionThatIsNotSubmodular) {
  const auto failures = failures_of([] {
    const std::vector<Edge> edges{{0, 1, 1.0}, {1, 2, 2.0}};
    testing::check_state_laws(make_pairwise_field({0, 0, 0}, edges), 1);
  });
  EXPECT_TRUE(names(failures, "L4")) << failures;
}

TEST(LawRig, NoticesEveryBrokenLawOfASet) {
  EXPECT_TRUE(names(set_failures(Fault::kGain), "S3"));
  EXPECT_TRUE(names(set_failures(Fault::kSetValue), "S2"));
  EXPECT_NE(set_failures(Fault::kAdd), "");
}

/// A line that is convex: its slope grows.
struct Convex {
  double slope(double u) const { return 2 * u; }
  double rise(double from, double to) const { return to * to - from * from; }
  double argmax(Interval in) const { return in.high; }
};

TEST(LawRig, NoticesALineThatIsNotConcave) {
  EXPECT_TRUE(names(failures_of([] {
                      testing::check_line_laws(Convex{}, {0, 1});
                    }),
                    "slope grows"));
}

}  // namespace
}  // namespace surefield
