#include "surefield/models/black_box/black_box.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/sampled_laws.hpp"
#include "tests/support/set_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<BlackBox>);
static_assert(BlackBox::kEstimated);

BlackBox random_box(Index n, Index samples, std::uint64_t seed) {
  return make_black_box(
      n,
      [field = testing::random_pairwise(n, 0.5, seed)](Subset chosen) {
        return field.evaluate(chosen);
      },
      samples, seed);
}

TEST(BlackBox, StateObeysTheLawsOfItsSampleMean) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_sampled_laws(random_box(seed % 8, 1 + seed, seed), seed);
}

TEST(BlackBox, StateObeysTheLawsBeyondOneWordOfElements) {
  testing::check_sampled_laws(random_box(70, 4, 3), 3, {.tolerance = 1e-11, .moves = 4});
}

TEST(BlackBox, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_set_laws(random_box(seed % 9, 1, seed), seed);
}

TEST(BlackBox, ManySetsAtOnceAndOwnGainsGiveTheSameNumbers) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Index n = 1 + seed % 7;
    const BlackBox one = random_box(n, 40, seed);
    const auto calls = std::make_shared<int>(0);
    BlackBox many = one;
    many.function = {};
    many.batch = [one, n, calls](std::span<const std::uint8_t> rows, std::span<double> values) {
      ++*calls;
      for (Index k = 0; k < values.size(); ++k) values[k] = one.function(rows.subspan(k * n, n));
    };
    BlackBox own = one;
    own.own_gain = [one](Subset chosen, Index i) {
      std::vector<std::uint8_t> with(chosen.begin(), chosen.end()), without = with;
      with[i] = 1;
      without[i] = 0;
      return one.function(with) - one.function(without);
    };
    const std::vector<double> x(n, 0.4);
    auto first = one.at(x), second = many.at(x), third = own.at(x);
    EXPECT_EQ(first.value(), second.value());
    EXPECT_EQ(*calls, 1) << "one call for all sets";
    for (Index i = 0; i < n; ++i) {
      EXPECT_EQ(first.partial(i), second.partial(i));
      EXPECT_NEAR(first.partial(i), third.partial(i), 1e-12);
    }
    EXPECT_EQ(*calls, 1 + static_cast<int>(n)) << "and one for each partial";
    first.set(0, 0.9);
    second.set(0, 0.9);
    EXPECT_EQ(first.value(), second.value());
    testing::check_set_laws(many, seed);
    testing::check_set_laws(own, seed);
  }
}

TEST(BlackBox, IsExactAtCornersAndCallsOncePerDistinctSet) {
  const auto calls = std::make_shared<int>(0);
  const BlackBox model = make_black_box(
      2, [calls](Subset chosen) { return ++*calls, chosen[0] + 2.0 * chosen[1]; }, 500);
  auto state = model.at(std::vector{1.0, 0.0});
  EXPECT_EQ(*calls, 0);
  EXPECT_EQ(state.value(), 1);
  EXPECT_EQ(*calls, 1);  // 500 equal sets
  EXPECT_EQ(state.partial(0), 1);
  EXPECT_EQ(state.partial(1), 2);
  EXPECT_EQ(*calls, 3);  // {}, {0, 1}
  state.set(1, 1);
  EXPECT_EQ(state.value(), 3);
  EXPECT_EQ(state.value(), 3);
  EXPECT_EQ(*calls, 4);
}

// The mean over many seeds against enumeration: within 4.5 standard errors, fixed seeds.
TEST(BlackBox, EstimatesWithoutBias) {
  const Index n = 5;
  const std::vector<double> x{0.1, 0.9, 0.5, 0.3, 0.7};
  const auto field = testing::random_pairwise(n, 0.8, 11);
  const auto values = reference::all_values(field);
  constexpr int kRuns = 200;
  std::vector<double> sum(n + 1, 0);
  std::vector<double> squares(n + 1, 0);
  for (int run = 0; run < kRuns; ++run) {
    const BlackBox model = make_black_box(
        n, [&](Subset chosen) { return field.evaluate(chosen); }, 20,
        static_cast<std::uint64_t>(run));
    const auto state = model.at(x);
    for (Index i = 0; i <= n; ++i) {
      const double estimate = i < n ? state.partial(i) : state.value();
      sum[i] += estimate;
      squares[i] += estimate * estimate;
    }
  }
  const auto exact = field.at(x);
  for (Index i = 0; i <= n; ++i) {
    const double mean = sum[i] / kRuns;
    const double error = std::sqrt(std::max(0.0, squares[i] / kRuns - mean * mean) / (kRuns - 1));
    EXPECT_NEAR(mean, i < n ? exact.partial(i) : exact.value(), 4.5 * error + 1e-12)
        << "along " << i;
  }
}

TEST(BlackBox, KeepsItsPromiseOfAccuracy) {
  // F in {-1, 1}: bound 1. Of 100 models at confidence 0.9, far fewer than 10 may be off; Hoeffding
  // is generous.
  const std::vector<double> x{0.5, 0.5, 0.5};
  int misses = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const BlackBox model = make_black_box(
        3, [](Subset chosen) { return (chosen[0] + chosen[1] + chosen[2]) % 2 ? -1.0 : 1.0; },
        SamplingAccuracy{.bound = 1, .error = 0.2, .confidence = 0.9}, seed);
    EXPECT_EQ(model.samples, 600U);  // 16 log(20) / (2 * 0.04) = 599.1
    const auto state = model.at(x);
    misses += std::abs(state.value()) > 0.2 || std::abs(state.partial(1)) > 0.2;
  }
  EXPECT_LE(misses, 10);
}

TEST(BlackBox, HoeffdingCountIsTheSmallest) {
  EXPECT_EQ(hoeffding_samples(1, 0.1, 0.95), 185U);  // log(40) / 0.02 = 184.4
  EXPECT_EQ(hoeffding_samples(1, 1, 0), 1U);
  EXPECT_EQ(hoeffding_samples(0, 1e-9, 0.999), 1U);
  for (const double range : {0.5, 2.0, 7.0})
    for (const double error : {0.03, 0.5, 1.0})
      for (const double confidence : {0.0, 0.5, 0.95, 0.999999}) {
        const auto risk = [&](double k) {
          return 2 * std::exp(-2 * k / (range / error * range / error));
        };
        const auto k = static_cast<double>(hoeffding_samples(range, error, confidence));
        EXPECT_LE(risk(k), (1 - confidence) * (1 + 1e-15));
        if (k > 1) {
          EXPECT_GT(risk(k - 1), 1 - confidence);
        }
      }
}

TEST(BlackBox, SpotCheckNamesAPairThatIsNotSubmodular) {
  const BlackBox bad = make_black_box(
      3, [](Subset chosen) { return chosen[0] && chosen[2] ? 5.0 : 0.0; }, 1);
  const auto reason = submodularity_violation(bad);
  ASSERT_TRUE(reason.has_value());
  EXPECT_TRUE(reason->starts_with("pair 0-2 on top of {") ||
              reason->starts_with("pair 2-0 on top of {"))
      << *reason;
  EXPECT_TRUE(reason->ends_with(
      "} gains 5 by being together, which must be <= 0 for a submodular function"))
      << *reason;
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    EXPECT_EQ(submodularity_violation(random_box(6, 1, seed)), std::nullopt);
  EXPECT_EQ(submodularity_violation(random_box(1, 1, 1)), std::nullopt);
}

TEST(BlackBox, RefusesWhatCannotBeCalledOrSampled) {
  EXPECT_EQ(testing::refusal([] { make_black_box(2, nullptr, 5); }),
            "black box: there is no function to call");
  EXPECT_EQ(testing::refusal([] {
              make_black_box(
                  2, [](Subset) { return 0.0; }, 0);
            }),
            "black box: the number of samples is 0, which must be >= 1");
  EXPECT_EQ(testing::refusal([] { hoeffding_samples(-1, 1, 0.5); }),
            "hoeffding: the range is -1, which must be finite and >= 0");
  EXPECT_EQ(testing::refusal([] { hoeffding_samples(1, 0, 0.5); }),
            "hoeffding: the error is 0, which must be finite and > 0");
  EXPECT_EQ(testing::refusal([] { hoeffding_samples(1, 1, 1); }),
            "hoeffding: the confidence is 1, which must be >= 0 and < 1");
  EXPECT_EQ(testing::refusal([] { hoeffding_samples(1e9, 1e-9, 0.5); }),
            "hoeffding: range 1e+09, error 1e-09 and confidence 0.5 ask for 6.931471805599453e+35 "
            "samples, which is "
            "too many");
  EXPECT_EQ(testing::refusal([] {
              make_black_box(
                  2, [](Subset) { return 0.0; }, SamplingAccuracy{.bound = kInfinity, .error = 1});
            }),
            "black box: the bound of |F| is inf, which must be finite and >= 0");
}

TEST(BlackBox, NamesTheSetWhoseValueIsUnusable) {
  const auto nan_at = [](std::size_t size) {
    return [size](Subset chosen) {
      std::size_t count = 0;
      for (const auto in : chosen) count += in;
      return count == size ? NAN : 1.0;
    };
  };
  const BlackBox model = make_black_box(4, nan_at(2), 3);
  EXPECT_EQ(testing::refusal([&] {
              model.at(std::vector{1.0, 0.0, 0.0, 1.0}).value();
            }),
            "black box: F of the 2 elements {0, 3} is nan, which must be finite");
  auto state = model.at(std::vector{1.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(testing::refusal([&] { state.partial(3); }),
            "black box: F of the 2 elements {0, 3} is nan, which must be finite");
  EXPECT_EQ(state.value(), 1);  // still usable
  const BlackBox many = make_black_box(30, nan_at(30), 3);
  EXPECT_EQ(testing::refusal([&] { many.at(std::vector<double>(30, 1)).value(); }),
            "black box: F of the 30 elements {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...} is nan, which "
            "must be finite");
  const BlackBox loud = make_black_box(
      1, [](Subset) { return -3.0; }, SamplingAccuracy{.bound = 2, .error = 1});
  EXPECT_EQ(testing::refusal([&] { loud.evaluate(std::vector<std::uint8_t>{0}); }),
            "black box: F of the 0 elements {} is -3, beyond the promised bound 2");
}

}  // namespace
}  // namespace surefield
