// Models written outside that show their terms and nothing else.
#include "surefield/models/term_facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "surefield/core/rounding.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

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

/// Shows what it is told to, of three items.
struct Shown : PlainSum {
  std::function<void(TermVisitor&, double)> show;
  void show_terms(TermVisitor& visitor, double weight) const { show(visitor, weight); }
};

// Of three items of 1, 4 and 4, where they have numbers: of weight 3 and of weight -3.
TEST(TermFacts, TheSizeOfATermIsItsLargestValueTimesItsWeight) {
  const std::vector<Entry> members{{0, 1}, {1, 4}, {2, 4}};
  const std::vector<Entry> chances{{0, 0.5}, {1, 1}, {2, 1}};
  const Hyperedge edge = undirected_hyperedge({0, 1, 2}, 1);
  const Concave root{Concave::Kind::kPower, 0.5};
  const struct {
    const char* name;
    std::function<void(TermVisitor&, double)> show;
    double size;
  } terms[] = {
      {"constant", [](TermVisitor& to, double w) { to.constant(w); }, 3},
      {"linear", [](TermVisitor& to, double w) { to.linear(1, w); }, 3},
      {"pair", [](TermVisitor& to, double w) { to.pair(0, 2, w); }, 3},
      {"product", [&](TermVisitor& to, double w) { to.product(members, w); }, 3},
      {"best", [&](TermVisitor& to, double w) { to.best(members, w); }, 12},
      {"cover", [&](TermVisitor& to, double w) { to.cover(chances, w); }, 3},
      {"cut", [&](TermVisitor& to, double w) { to.cut(edge, w); }, 3},
      {"concave", [&](TermVisitor& to, double w) { to.concave(members, root, w); }, 9},
  };
  for (const auto& term : terms)
    for (const double weight : {3.0, -3.0}) {
      SCOPED_TRACE(::testing::Message() << term.name << " of weight " << weight);
      Shown shown{{3}, [&](TermVisitor& to, double w) { term.show(to, w * weight); }};
      const Facts facts = AnyModel(std::move(shown)).facts();
      EXPECT_NEAR(facts.magnitude, term.size, 1e-12);
      EXPECT_GE(facts.value_error, gamma_of(64) * term.size * (1 - 1e-12));
      EXPECT_LE(facts.value_error, gamma_of(100) * term.size);
    }
}

}  // namespace
}  // namespace surefield
