// Models written outside that show their terms and nothing else.
#include "surefield/models/term_facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

/// F(S) = 0.1 |S|, added up as one would: equal terms round the same way, so that errors do not cancel.
struct PlainSum {
  Index n = 0;

  class State {
   public:
    explicit State(std::span<const double> x) : x_(x.begin(), x.end()) {}
    Index size() const { return x_.size(); }
    double coordinate(Index i) const { return x_[i]; }
    double partial(Index) const { return 0.1; }
    void gradient(std::span<double> out) const {
      for (double& slope : out) slope = 0.1;
    }
    double value() const {
      double sum = 0;
      for (const double x : x_) sum += 0.1 * x;
      return sum;
    }
    void set(Index i, double v) { x_[i] = v; }

   private:
    std::vector<double> x_;
  };

  class Set {
   public:
    explicit Set(Index n) : in_(n, 0) {}
    Index size() const { return in_.size(); }
    bool contains(Index i) const { return in_[i] != 0; }
    double gain(Index) const { return 0.1; }
    double value() const {
      double sum = 0;
      for (const auto in : in_) sum += in ? 0.1 : 0;
      return sum;
    }
    void add(Index i) { in_[i] = 1; }
    void remove(Index i) { in_[i] = 0; }

   private:
    std::vector<std::uint8_t> in_;
  };

  Index size() const { return n; }
  double evaluate(Subset in) const {
    double sum = 0;
    for (const auto one : in) sum += one ? 0.1 : 0;
    return sum;
  }
  State at(std::span<const double> x) const { return State(x); }
  Set empty_set() const { return Set(n); }
  void show_terms(TermVisitor& visitor, double weight) const {
    for (Index i = 0; i < n; ++i) visitor.linear(i, weight * 0.1);
  }
};

TEST(TermFacts, TheErrorGrowsWithTheNumberOfTerms) {
  for (const Index n : {Index{10}, Index{1000}, Index{1000000}}) {
    const AnyModel model = PlainSum{n};
    const Facts facts = model.facts();
    const long double truth = 0.1 * static_cast<long double>(n);
    const std::vector<std::uint8_t> all(n, 1);
    const auto off = std::abs(static_cast<long double>(model.evaluate(all)) - truth);
    EXPECT_LE(off, facts.value_error) << n;
    EXPECT_NEAR(facts.magnitude, static_cast<double>(truth), 1e-4 * static_cast<double>(truth));
    // What a count that does not grow would allow is not enough: the data are bad enough to tell.
    if (n == 1000000) {
      EXPECT_GT(off, gamma_of(64) * facts.magnitude);
    }
  }
}

}  // namespace
}  // namespace surefield
