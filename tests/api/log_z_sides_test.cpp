// Every value that log_z gives is on its side of the truth by enumeration: 21,000 problems over all
// families.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/api/log_z.hpp"
#include "tests/support/log_z_instances.hpp"
#include "tests/support/quad_log_z.hpp"

namespace surefield {
namespace {

using testing::kLogZFamilies;

constexpr std::size_t kEach = 1500;
static_assert(kEach * kLogZFamilies.size() >= 20'000);

struct Tally {
  std::size_t instances = 0, intervals = 0;
  std::map<std::string, std::size_t> values;  // by method
};

void check_marginals(const LogZResult& found, const testing::QuadLogZ& truth, Tally& tally) {
  ASSERT_EQ(found.marginals.size(), truth.marginals.size());
  for (Index i = 0; i < truth.marginals.size(); ++i) {
    SCOPED_TRACE(::testing::Message() << found.marginals_method << ", item " << i);
    const auto [low, high] = found.marginals[i];
    EXPECT_TRUE(low >= 0 && low <= high && high <= 1) << low << " to " << high;
    EXPECT_LE(low, truth.marginals[i] + 1e-15L);
    EXPECT_GE(high, truth.marginals[i] - 1e-15L);
    if (found.marginals_exact) {
      EXPECT_LE(high - low, 1e-5);
    } else {
      ++tally.intervals;
    }
  }
}

std::optional<double> value_of(const LogZResult& found, std::string_view method) {
  for (const auto& value : found.values)
    if (value.method == method) return value.value;
  return std::nullopt;
}

/// Without enumeration other exact methods are asked first, and where there is none, branch and
/// bound for intervals.
void check(const testing::LogZInstance& instance, bool enumerate, Tally& tally) {
  const auto& [model, box, beta] = instance;
  const testing::QuadLogZ truth = testing::quad_log_z(model, box, beta);
  const auto rounding = static_cast<double>(truth.slack());
  const Problem problem = make_problem(model, {}, box, {.no_guarantee = true});
  const LogZResult found = log_z(problem, {.inverse_temperature = beta,
                                           .conditioned = 2,
                                           .enumerable = enumerate ? Index{24} : Index{0},
                                           .estimates = false,
                                           .marginals = true,
                                           .budget = Budget().within(10)});
  EXPECT_EQ(found.failure, "");
  ++tally.instances;
  // Where F is exact to six digits, so few items can be enumerated to six digits.
  const double off = model.facts().times(beta).value_error;
  EXPECT_TRUE(found.exact || !enumerate ||
              off > 1e-9 * (1 + std::abs(static_cast<double>(truth.log_z))));
  if (found.lower && found.upper) {
    EXPECT_LE(*found.lower, *found.upper);
  }
  for (const auto& value : found.values) {
    SCOPED_TRACE(value.method);
    ++tally.values[value.method];
    if (value.side == Side::kLower) {
      EXPECT_LE(value.value, truth.log_z + rounding);
    }
    if (value.side == Side::kUpper) {
      EXPECT_GE(value.value, truth.log_z - rounding);
    }
    if (value.side == Side::kExact) {
      EXPECT_LE(std::abs(value.value - truth.log_z), value.error + rounding);
    }
  }
  const auto mean_field = value_of(found, "mean field");
  const auto by_cases = value_of(found, "conditioned mean field");
  if (mean_field && by_cases) {
    EXPECT_GE(*by_cases, *mean_field - 1e-6 * (1 + std::abs(*mean_field)) - 4 * off)
        << "cases lose nothing";
  }
  if (found.marginals_method.empty()) {
    EXPECT_FALSE((problem.is_submodular() && std::isfinite(off)) || found.exact)
        << "some method gives marginals";
  } else {
    check_marginals(found, truth, tally);
  }
}

/// The methods that must have answered for a family, and answered often.
std::vector<std::string> methods_of(std::string_view family) {
  std::vector<std::string> methods{"enumeration"};
  const auto and_also = [&](std::initializer_list<const char*> more) {
    methods.insert(methods.end(), more.begin(), more.end());
  };
  const bool falling = family != "not_submodular" && family != "fldc";
  and_also({"branch and bound"});  // of differences of submodular functions too
  if (falling) and_also({"supergradient, bar", "supergradient, grow", "supergradient, shrink"});
  if (family == "log_det") and_also({"determinant"});
  if (family == "flid" || family == "fldc" || family == "facility") and_also({"best items"});
  if (family == "flid" || family == "facility") and_also({"harris"});
  if (family == "pairwise" || family == "cut" || family == "gibbs" || family == "not_submodular")
    and_also({"elimination"});
  if (family == "pairwise" || family == "cut") and_also({"spectral"});
  if (family == "log_det" || family == "black_box") return methods;
  and_also({"mean field", "conditioned mean field", "hoelder"});
  if (falling) and_also({"fractional supergradient"});
  if (family != "pairwise" && family != "cut" && family != "not_submodular")
    and_also({"conditioned hoelder"});  // so few variables of a pairwise field are one piece
  return methods;
}

class EveryLogZ : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EveryLogZ, IsOnItsSideOfTheTruth) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= kEach; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const auto instance = testing::log_z_instance(GetParam(), seed);
    check(instance, seed % 2 == 0, tally);
    if (HasFailure()) FAIL() << "n = " << instance.box.size() << ", beta = " << instance.beta;
  }
  EXPECT_EQ(tally.instances, kEach);
  for (const auto& method : methods_of(GetParam()))
    EXPECT_GE(tally.values[method], kEach / 10) << method;
  for (const std::string_view open : {"coverage", "hypergraph_cut", "concave", "sum", "black_box"})
    if (GetParam() == open) {
      EXPECT_GE(tally.intervals, kEach / 10) << "where terms are large or rounding is";
    }
}

INSTANTIATE_TEST_SUITE_P(AllFamilies, EveryLogZ, ::testing::ValuesIn(kLogZFamilies),
                         [](const auto& family) { return std::string(family.param); });

}  // namespace
}  // namespace surefield
