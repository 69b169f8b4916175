// What is claimed of the rounding of every family, held to quadruple precision on the worst data
// that can be built, up to a million items: equal coordinates, so that every rounding goes the same
// way; huge numbers that cancel; numbers near the smallest; ties. And that what is claimed is of
// use.
#include "surefield/models/facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "surefield/models/black_box/black_box.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "tests/support/quad_truth.hpp"
#include "tests/support/random_concave.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_facility.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/support/random_hypergraph.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

using testing::Quad;

double off(double computed, Quad truth) {
  return static_cast<double>(testing::size_of(computed - truth));
}

/// The largest parts of the errors allowed that were used up.
struct Used {
  double value = 0;
  double gain = 0;
};

double share(double error, double allowed) {
  if (error == 0) return 0;
  return error / allowed;
}

/// Holds a model to its facts at the point x and at the set of its coordinates above 1/2, by a
/// truth that takes a point. States: made there, and moved there along every coordinate from
/// elsewhere. Sets: grown, and grown too far and cut back.
template <class M, class Truth>
Used expect_within_facts(const M& model, const std::vector<double>& x, const Truth& truth,
                         const std::vector<Index>& items) {
  const Facts facts = facts_of(model);
  const double of_truth = 0x1p-100 * facts.magnitude;  // what 113 bits may lose themselves
  Used used;
  const auto check_value = [&](double computed, Quad exact, const char* what) {
    const double error = off(computed, exact);
    EXPECT_LE(error, facts.value_error + of_truth) << M::kKind << ' ' << what;
    used.value = std::max(used.value, share(error, facts.value_error));
  };
  double sum = 0;
  const auto check_gain = [&](double computed, Quad exact, const char* what, Index i) {
    const double error = off(computed, exact);
    EXPECT_LE(error, facts.gain_error + of_truth) << M::kKind << ' ' << what << " of " << i;
    used.gain = std::max(used.gain, share(error, facts.gain_error));
    sum += error;
  };
  const Index n = model.size();
  const auto slope = [&](std::vector<double> point, Index i) {
    point[i] = 1;
    const Quad with = truth(point);
    point[i] = 0;
    return with - truth(point);
  };

  const auto fresh = model.at(x);
  std::vector<double> elsewhere(n);
  for (Index i = 0; i < n; ++i) elsewhere[i] = i % 3 == 0 ? 1 : 1 - x[i] * 0.75;
  auto moved = model.at(elsewhere);
  for (Index i = 0; i < n; ++i) moved.set(i, x[i]);
  std::vector<double> gradient(n);
  moved.gradient(gradient);
  const Quad at_x = truth(x);
  check_value(fresh.value(), at_x, "state made");
  check_value(moved.value(), at_x, "state moved");
  std::vector<double> corner(n);
  std::vector<std::uint8_t> in(n);
  auto grown = model.empty_set();
  auto cut_back = model.empty_set();
  for (Index i = 0; i < n; ++i) {
    in[i] = x[i] > 0.5;
    corner[i] = in[i];
    if (in[i]) grown.add(i);
    cut_back.add(i);
  }
  for (Index i = 0; i < n; ++i)
    if (!in[i]) cut_back.remove(i);
  const Quad at_corner = truth(corner);
  check_value(model.evaluate(in), at_corner, "evaluate");
  check_value(grown.value(), at_corner, "set grown");
  check_value(cut_back.value(), at_corner, "set cut back");
  for (const Index i : items) {
    const Quad at_point = slope(x, i);
    check_gain(fresh.partial(i), at_point, "partial, made", i);
    check_gain(moved.partial(i), at_point, "partial, moved", i);
    check_gain(gradient[i], at_point, "gradient", i);
    const Quad at_set = slope(corner, i);
    check_gain(grown.gain(i), at_set, "gain, grown", i);
    check_gain(cut_back.gain(i), at_set, "gain, cut back", i);
  }
  EXPECT_LE(sum / 5, facts.gain_error_sum + static_cast<double>(n) * of_truth) << M::kKind;
  return used;
}

template <class M>
Used expect_by_enumeration(const M& model, const std::vector<double>& x) {
  std::vector<Index> items(model.size());
  for (Index i = 0; i < items.size(); ++i) items[i] = i;
  return expect_within_facts(
      model, x, [&](std::span<const double> at) { return testing::enumerated(model, at); }, items);
}

template <class M>
Used expect_by_formula(const M& model, const std::vector<double>& x,
                       const std::vector<Index>& items) {
  return expect_within_facts(
      model, x, [&](std::span<const double> at) { return testing::exact_extension(model, at); },
      items);
}

double number_size = 1;  // of all numbers of a model

/// Of all sizes and signs, ties and zeros among them.
double wild(Random& random, bool positive) {
  const double sign = positive || random.chance(0.5) ? 1 : -1;
  switch (random.below(6)) {
    case 0:
      return sign * number_size * std::exp2(random.uniform(-40, 40));
    case 1:
      return 0;
    case 2:
      return sign * number_size;
    case 3:
      return sign * 0x1p-1070;
    default:
      return sign * number_size * random.uniform();
  }
}

std::vector<double> wild_point(Index n, Random& random) {
  std::vector<double> x(n);
  const auto kind = random.below(4);
  const double same = random.uniform();
  for (double& v : x) {
    switch (kind) {
      case 0:
        v = same;
        break;
      case 1:
        v = random.chance(0.5) ? 1 - 0x1p-53 : 0x1p-1074;
        break;
      case 2:
        v = static_cast<double>(random.below(3)) / 2;
        break;
      default:
        v = random.uniform();
    }
  }
  return x;
}

std::vector<std::vector<Entry>> wild_groups(Index n, Index count, Random& random, bool positive,
                                            bool probability) {
  std::vector<std::vector<Entry>> groups(count);
  for (auto& group : groups)
    for (std::uint32_t i = 0; i < n; ++i)
      if (random.chance(0.7))
        group.push_back(
            {i, probability ? std::min(1.0, wild(random, true)) : wild(random, positive)});
  return groups;
}

std::vector<double> wild_numbers(Index n, Random& random, bool positive = false) {
  std::vector<double> numbers(n);
  for (double& number : numbers) number = wild(random, positive);
  return numbers;
}

TEST(Facts, HoldOnThousandsOfSmallModelsOfAllSizesOfNumbers) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = seed % 6;
    number_size = std::vector{1.0, 0x1p900, 0x1p-1000, 0x1p-1060}[seed % 4];
    const auto x = wild_point(n, random);
    std::vector<Edge> edges;
    for (Index e = 0; n >= 2 && e < 8; ++e) {
      const auto from = static_cast<std::uint32_t>(random.below(n));
      const auto to = static_cast<std::uint32_t>((from + 1 + random.below(n - 1)) % n);
      edges.push_back({from, to, wild(random, false)});
    }
    const auto bias = wild_numbers(n, random);
    expect_by_enumeration(make_pairwise_field(bias, edges, wild(random, false)), x);
    expect_by_enumeration(make_graph_cut(bias, edges, seed % 2 == 0), x);
    std::vector<Monomial> terms;
    std::vector<Hyperedge> hyperedges;
    for (Index t = 0; n >= 2 && t < 5; ++t) {
      terms.push_back(
          {testing::random_variables(n, 1 + random.below(n), random), wild(random, false)});
      hyperedges.push_back({wild(random, false),
                            testing::random_variables(n, 1 + random.below(n), random),
                            testing::random_variables(n, 1 + random.below(n), random)});
    }
    expect_by_enumeration(make_gibbs_field(bias, terms, wild(random, false)), x);
    expect_by_enumeration(make_hypergraph_cut(bias, hyperedges), x);
    expect_by_enumeration(
        make_coverage(bias, wild_numbers(3, random), wild_groups(n, 3, random, true, true)), x);
    expect_by_enumeration(make_facility_location(bias, wild_groups(n, 3, random, false, false)), x);
    expect_by_enumeration(make_flid(bias, wild_numbers(n * 3, random), n == 0 ? 0 : 3), x);
    expect_by_enumeration(make_fldc(bias, wild_numbers(n * 2, random), n == 0 ? 0 : 2,
                                    wild_numbers(n * 2, random), n == 0 ? 0 : 2),
                          x);
  }
}

TEST(Facts, HoldOnOneConceptOfAHundredThousandEqualItems) {
  constexpr Index kN = 100'000;
  std::vector<Entry> all;
  for (std::uint32_t i = 0; i < kN; ++i) all.push_back({i, 0.7});
  const auto model =
      make_coverage(std::vector<double>(kN, 0), {1}, std::vector<std::vector<Entry>>{all});
  const auto used = expect_by_formula(model, std::vector<double>(kN, 1.0 / 70'001), {0, kN - 1});
  EXPECT_GT(used.value, 1e-3);  // the worst case is no invention
}

TEST(Facts, HoldOnOneCustomerOfAHundredThousandItems) {
  constexpr Index kN = 100'000;
  std::vector<Entry> all;
  for (std::uint32_t i = 0; i < kN; ++i) all.push_back({i, 1});
  const auto model =
      make_facility_location(std::vector<double>(kN, 0), std::vector<std::vector<Entry>>{all});
  // 1 - x lies just beside the middle of two doubles: all round by half an ulp, the same way.
  const double x = 0x1p-17 + 0x1.fp-55;
  const auto used = expect_by_formula(model, std::vector<double>(kN, x), {0, kN / 2, kN - 1});
  EXPECT_GT(used.value, 0.05);
  EXPECT_GT(used.gain, 0.01);
}

TEST(Facts, HoldOnOneMonomialAndOneHyperedgeOfAHundredThousandItems) {
  constexpr Index kN = 100'000;
  std::vector<std::uint32_t> all(kN);
  for (std::uint32_t i = 0; i < kN; ++i) all[i] = i;
  const std::vector<double> zero(kN, 0);
  const auto gibbs = make_gibbs_field(zero, std::vector<Monomial>{{all, -1}});
  expect_by_formula(gibbs, std::vector<double>(kN, 1 - 1.0 / 70'001), {77});
  const auto cut = make_hypergraph_cut(zero, {undirected_hyperedge(all, 1)});
  expect_by_formula(cut, std::vector<double>(kN, 1.0 / 70'001), {77});
}

TEST(Facts, HoldOnAStarOfAMillionNodes) {
  constexpr std::uint32_t kN = 1'000'000;
  std::vector<Edge> star;
  for (std::uint32_t i = 1; i < kN; ++i) star.push_back({0, i, 0.1});
  const auto hub = make_graph_cut(std::vector<double>(kN, 0.1), std::move(star));
  expect_by_formula(hub, std::vector<double>(kN, 0.3), {0});
}

TEST(Facts, OfOneHubDoNotSpoilItsLeaves) {
  std::vector<Edge> star;
  for (std::uint32_t i = 1; i < 10'000; ++i) star.push_back({0, i, 0.1});
  const Facts facts = facts_of(make_graph_cut(std::vector<double>(10'000, 0.1), std::move(star)));
  EXPECT_LT(facts.gain_error_sum, 4 * facts.gain_error);  // only the hub's gain is a long sum
}

/// After very many moves a state is as good as a new one (law L2).
template <class M>
void expect_fresh_after_moves(const M& model, Index moves) {
  const Facts facts = facts_of(model);
  Random random(1);
  std::vector<double> x(model.size(), 0.5);
  auto state = model.at(x);
  for (Index m = 0; m < moves; ++m) {
    const Index i = random.below(model.size());
    x[i] = random.uniform(0.2, 0.8);
    state.set(i, x[i]);
  }
  EXPECT_LE(off(state.value(), testing::enumerated(model, x)), facts.value_error) << M::kKind;
  for (Index i = 0; i < model.size(); ++i) {
    auto with = x;
    auto without = x;
    with[i] = 1;
    without[i] = 0;
    const Quad slope = testing::enumerated(model, with) - testing::enumerated(model, without);
    EXPECT_LE(off(state.partial(i), slope), facts.gain_error) << M::kKind << ' ' << i;
  }
}

TEST(Facts, HoldAfterAMillionMoves) {
  const std::vector<double> zero(5, 0);
  expect_fresh_after_moves(
      make_gibbs_field(zero, std::vector<Monomial>{{{0, 1, 2, 3, 4}, -1}, {{0, 3}, -1}}),
      1'000'000);
  expect_fresh_after_moves(
      make_hypergraph_cut(zero, {undirected_hyperedge({0, 1, 2, 3, 4}, 1), {2, {0, 1}, {2, 3}}}),
      1'000'000);
  expect_fresh_after_moves(
      make_coverage(zero, {1}, std::vector<std::vector<Entry>>{{{0, 0.5}, {1, 0.3}, {2, 1}}}),
      1'000'000);
  expect_fresh_after_moves(
      make_facility_location(zero, std::vector<std::vector<Entry>>{{{0, 0.5}, {1, 0.3}, {2, 1}}}),
      100'000);
  expect_fresh_after_moves(
      make_concave_over_modular(
          zero, {{1, {Concave::Kind::kPower, 0.5}}},
          std::vector<std::vector<Entry>>{{{0, 0.5}, {1, 0.3}, {2, 1}, {3, 2}}}, 1e-13),
      50'000);
}

TEST(Facts, HoldOnAChainOfHugeNumbersThatCancel) {
  constexpr std::uint32_t kN = 100'000;
  std::vector<Edge> chain;
  std::vector<double> bias(kN);
  for (std::uint32_t i = 0; i < kN; ++i) {
    bias[i] = i % 2 ? 1e15 : -1e15;
    if (i > 0) chain.push_back({i - 1, i, i % 2 ? -1e10 : -1e-300});
  }
  expect_by_formula(make_pairwise_field(std::move(bias), chain), std::vector<double>(kN, 0.3), {5});
}

TEST(Facts, HoldOnSmallConcaveGroups) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = seed % 7;
    const double tolerance = seed % 2 ? 1e-13 : 1e-6;
    std::vector<ConcaveOverModular::Group> groups;
    std::vector<std::vector<Entry>> members(3);
    for (auto& list : members) {
      const auto shape = testing::random_shape(random);
      groups.push_back({random.uniform(-2, 2), shape});
      for (std::uint32_t i = 0; i < n; ++i)
        if (random.chance(0.8))
          list.push_back({i, shape.kind == Concave::Kind::kTruncated
                                 ? std::floor(random.uniform(0, 5))
                                 : std::exp2(random.uniform(-6, 6))});
    }
    number_size = 1;
    expect_by_enumeration(
        make_concave_over_modular(wild_numbers(n, random), groups, members, tolerance),
        wild_point(n, random));
  }
}

/// One group of n equal weights m at n equal coordinates: the sum is binomial.
Quad binomial_mean(Index n, double x, const std::function<long double(Index)>& of_count) {
  Quad p = 1;
  for (Index k = 0; k < n; ++k) p *= 1 - Quad(x);
  Quad sum = 0;
  for (Index k = 0; k <= n; ++k) {
    sum += p * static_cast<Quad>(of_count(k));
    p *= Quad(static_cast<double>(n - k)) / static_cast<double>(k + 1) * (x / (1 - Quad(x)));
  }
  return sum;
}

TEST(Facts, HoldOnConcaveGroupsOfThousandsOfEqualItems) {
  struct Case {
    Concave shape;
    Index n;
    double m, x;
  };
  for (const auto& [shape, n, m, x] : {Case{{Concave::Kind::kPower, 0.1}, 4000, 0.3, 1.0 / 7},
                                       Case{{Concave::Kind::kPower, 0.9}, 4000, 1e5, 1.0 / 3001},
                                       Case{{Concave::Kind::kLog, 0}, 4000, 1e-3, 0.9},
                                       Case{{Concave::Kind::kRatio, 0}, 4000, 1e-7, 0.9},
                                       Case{{Concave::Kind::kSaturating, 0}, 4000, 1e-3, 1.0 / 7},
                                       Case{{Concave::Kind::kTruncated, 90}, 400, 1, 1.0 / 7}}) {
    std::vector<Entry> all;
    for (std::uint32_t i = 0; i < n; ++i) all.push_back({i, m});
    const auto model = make_concave_over_modular(std::vector<double>(n, 0), {{1, shape}},
                                                 std::vector<std::vector<Entry>>{all}, 1e-13);
    const Facts facts = facts_of(model);
    EXPECT_LT(facts.value_error, 1e-9 * facts.magnitude);
    const auto psi = [&, &shape = shape, &m = m](Index k) {
      return testing::exact_shape(shape, static_cast<long double>(k) * m);
    };
    auto state = model.at(std::vector<double>(n, 0.5));
    for (Index i = 0; i < n; ++i) state.set(i, x);
    EXPECT_LE(off(state.value(), binomial_mean(n, x, psi)), facts.value_error);
    EXPECT_LE(off(state.partial(3),
                  binomial_mean(n - 1, x, [&](Index k) { return psi(k + 1) - psi(k); })),
              facts.gain_error);
    auto set = model.empty_set();
    for (Index i = 0; i < n; ++i) set.add(i);
    for (Index i = 1; i < n; ++i) set.remove(i);
    EXPECT_LE(off(set.value(), static_cast<Quad>(psi(1))), facts.value_error);
    EXPECT_LE(off(set.gain(0), static_cast<Quad>(psi(1))), facts.gain_error);
    EXPECT_LE(off(set.gain(1), static_cast<Quad>(psi(2) - psi(1))), facts.gain_error);
  }
}

// y^0.1 is steepest at 0: what is left when the largest items go must be right relative to itself.
TEST(Facts, HoldOnWhatIsLeftOfAConcaveGroup) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < 40; ++i)
    entries.push_back({i, i < 30 ? 1e10 / (3 + i) : 1e-12 / i});
  const auto model =
      make_concave_over_modular(std::vector<double>(40, 0), {{1, {Concave::Kind::kPower, 0.1}}},
                                std::vector<std::vector<Entry>>{entries});
  const Facts facts = facts_of(model);
  auto set = model.empty_set();
  for (Index i = 0; i < 40; ++i) set.add(i);
  for (Index i = 0; i < 30; ++i) set.remove(i);
  std::vector<std::uint8_t> in(40, 0);
  for (Index i = 30; i < 40; ++i) in[i] = 1;
  // As exactly as psi can be had at all, not only within the facts of the whole.
  EXPECT_LE(off(set.value(), testing::exact_value(model, in)), 1e-15);
  EXPECT_LE(off(set.value(), testing::exact_value(model, in)), facts.value_error);
}

TEST(Facts, CountWhatAFieldInherited) {
  auto gibbs = testing::random_submodular_gibbs(6, 5, 1);
  auto pairwise = testing::random_pairwise(6, 0.5, 1);
  gibbs.inherited_error = pairwise.inherited_error = 0.25;
  for (const Facts& facts : {facts_of(gibbs), facts_of(pairwise)}) {
    EXPECT_NEAR(facts.value_error, 0.25, 1e-10);
    EXPECT_NEAR(facts.gain_error, 0.5, 1e-10);
    EXPECT_NEAR(facts.gain_error_sum, 3, 1e-10);  // of six items
  }
}

/// Sets grown in an order and cut back, and what they are by definition.
double largest_share_of_sets(const LogDet& model, std::uint64_t seed) {
  const Facts facts = facts_of(model);
  EXPECT_TRUE(facts.estimated);
  const Index n = model.size();
  Random random(seed);
  std::vector<std::uint8_t> in(n, 1);
  auto set = model.empty_set();
  for (Index i = 0; i < n; ++i) set.add(i);
  double largest = 0;
  for (Index left = n; left > 0; --left) {
    Index gone = random.below(n);
    while (!in[gone]) gone = (gone + 1) % n;
    set.remove(gone);
    in[gone] = 0;
    const Quad truth = testing::exact_value(model, in);
    for (const double computed : {set.value(), model.evaluate(in)}) {
      const double error = off(computed, truth);
      EXPECT_LE(error, facts.value_error) << left;
      largest = std::max(largest, share(error, facts.value_error));
    }
    for (Index i = 0; i < n; ++i) {
      auto flipped = in;
      flipped[i] ^= 1;
      const Quad other = testing::exact_value(model, flipped);
      EXPECT_LE(off(set.gain(i), in[i] ? truth - other : other - truth), facts.gain_error);
    }
  }
  return largest;
}

TEST(Facts, HoldOnLogDeterminantsOfAllConditions) {
  int finite = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 1 + seed % 7;
    Eigen::MatrixXd kernel =
        testing::random_kernel(n, seed, std::pow(10.0, -static_cast<double>(seed % 13)));
    for (Eigen::Index i = 0; i < kernel.rows(); ++i) {  // badly scaled, which does no harm
      const double factor = std::exp2(static_cast<double>(seed % 50) * static_cast<double>(i));
      kernel.row(i) *= factor;
      kernel.col(i) *= factor;
    }
    const auto model = make_log_det(kernel);
    largest_share_of_sets(model, seed);
    finite += facts_of(model).value_error < 1e-3;
  }
  EXPECT_GT(finite, 15);
  const Facts usual = facts_of(make_log_det(testing::random_kernel(40, 1, 0.1)));
  EXPECT_LT(usual.value_error, 1e-5);
  EXPECT_LT(usual.gain_error, 1e-7);
}

// 1e13 [[1, c], [c, 1]]: its determinant, 2e13 and so on, hangs on the last digits of c.
TEST(Facts, KnowTheConditionOfAKernel) {
  const double c = 1 - 1e-13;
  Eigen::MatrixXd kernel(2, 2);
  kernel << 1e13, c * 1e13, c * 1e13, 1e13;
  const auto model = make_log_det(kernel);
  const Facts facts = facts_of(model);
  EXPECT_GT(facts.value_error, 1e-3);
  EXPECT_LE(off(model.evaluate(std::vector<std::uint8_t>{1, 1}),
                testing::exact_value(model, std::vector<std::uint8_t>{1, 1})),
            facts.value_error);
  // Four of five vectors in three dimensions, all but: a smallest eigenvalue of the size of
  // rounding.
  Eigen::MatrixXd thin = Eigen::MatrixXd::Zero(3, 3);
  thin << 1, 1, 1, 1, 1 + 0x1p-46, 1, 1, 1, 1 + 0x1p-46;
  EXPECT_EQ(facts_of(make_log_det(thin)).value_error, HUGE_VAL);
  EXPECT_LT(facts_of(make_log_det(thin)).magnitude, HUGE_VAL);
}

TEST(Facts, OfABlackBoxAreAssumptions) {
  const auto pair_hidden = make_black_box(
      60,
      [](Subset in) {
        double count = 0;
        for (const auto v : in) count += v;
        return 0.1 * count + (in[0] && in[1] ? 5 : 0);
      },
      10, 3);  // by luck the draws of seed 1 meet the pair
  const Facts facts = facts_of(pair_hidden);
  EXPECT_EQ(facts.submodularity, Submodularity::kAssumed) << facts.violation;
  EXPECT_EQ(facts.basis(), Basis::kAssumesSubmodular);
  EXPECT_TRUE(facts.estimated);
  EXPECT_EQ(facts.value_error, 0);
  EXPECT_GT(facts.gain_error, 0);
  EXPECT_LT(facts.gain_error, 1e-13);
  const auto square = make_black_box(
      5,
      [](Subset in) {
        double count = 0;
        for (const auto v : in) count += v;
        return count * count;
      },
      10);
  EXPECT_EQ(facts_of(square).submodularity, Submodularity::kViolated);
  EXPECT_FALSE(facts_of(square).violation.empty());
}

template <class M>
void expect_useful(const M& model) {
  const Facts facts = facts_of(model);
  EXPECT_LE(facts.value_error, 1e-10 * facts.magnitude) << M::kKind;
  EXPECT_LE(facts.gain_error, 1e-10 * facts.magnitude) << M::kKind;
  EXPECT_LE(facts.gain_error, facts.gain_error_sum) << M::kKind;
  EXPECT_LE(facts.gain_error_sum, 100 * facts.gain_error * (1 + 1e-9)) << M::kKind;
  EXPECT_TRUE(facts.is_submodular()) << M::kKind << facts.violation;
  EXPECT_FALSE(facts.estimated) << M::kKind;
}

TEST(Facts, AreOfUseOnModelsOfAHundredItems) {
  expect_useful(testing::random_pairwise(100, 0.2, 1));
  expect_useful(testing::random_gibbs(100, 0, 1));
  expect_useful(testing::random_coverage(100, 30, 1));
  expect_useful(testing::random_facility(100, 30, 1));
  expect_useful(testing::random_flid(100, 10, 1));
  expect_useful(testing::random_hypergraph_cut(100, 50, 1));
  expect_useful(make_graph_cut(std::vector<double>(100, -1), {{0, 1, 0.5}, {0, 99, 2}}));
}

TEST(Facts, AreInfiniteWhereTheSizesAre) {
  const auto model = make_pairwise_field({1e308, 1e308}, std::vector<Edge>{{0, 1, -1e308}});
  const Facts facts = facts_of(model);
  EXPECT_EQ(facts.magnitude, HUGE_VAL);
  EXPECT_EQ(facts.value_error, HUGE_VAL);
  EXPECT_EQ(facts.gain_error, HUGE_VAL);
  EXPECT_EQ(facts.gain_error_sum, HUGE_VAL);
}

TEST(Facts, OfNoItemsAreThoseOfTheConstant) {
  const Facts facts = facts_of(make_pairwise_field({}, {}, -3));
  EXPECT_NEAR(facts.magnitude, 3, 1e-14);
  EXPECT_LT(facts.value_error, 1e-14);
  EXPECT_EQ(facts.gain_error, 0);
  EXPECT_EQ(facts.gain_error_sum, 0);
  EXPECT_EQ(facts_of(make_coverage({}, {}, {})).value_error,
            facts_of(make_flid({}, {}, 0)).value_error);
}

}  // namespace
}  // namespace surefield
