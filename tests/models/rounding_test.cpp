#include "surefield/models/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_any_model.hpp"
#include "tests/support/reference.hpp"

namespace surefield {
namespace {

/// sum_S F(S) p(S) in long double: the truth to about 1e-19 of its terms. F itself is a double; its
/// own rounding is inside the tenth of the margin that the test leaves.
template <Model M>
long double exact_extension(const M& model, std::span<const double> x) {
  std::vector<long double> values;
  for (const double v : reference::all_values(model)) values.push_back(v);
  for (std::size_t i = x.size(); i-- > 0;) {
    const std::size_t half = values.size() / 2;
    for (std::size_t code = 0; code < half; ++code)
      values[code] =
          (1 - static_cast<long double>(x[i])) * values[code] + x[i] * values[code + half];
    values.resize(half);
  }
  return values.front();
}

TEST(Rounding, CoversTheErrorOfEveryFamilyWithRoomToSpare) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const AnyModel any =
        testing::random_any_model(seed % (testing::kBasicKinds + 1), seed % 7, seed);
    if (is_estimated(any)) continue;
    SCOPED_TRACE(::testing::Message() << kind_of(any) << ", seed " << seed);
    std::visit(
        [&](const auto& model) {
          Random random(seed);
          std::vector<double> x(model.size());
          for (double& v : x) v = random.chance(0.3) ? random.chance(0.5) : random.uniform();
          auto state = model.at(x);
          for (int move = 0; move < 30 && !x.empty(); ++move) {
            const Index i = random.below(x.size());
            state.set(i, x[i] = random.uniform());
          }
          const auto error =
              static_cast<double>(std::abs(state.value() - exact_extension(model, x)));
          EXPECT_LE(error, rounding_of(model) / 2);
          if (error > 0) worst = std::max(worst, error / rounding_of(model));
        },
        any);
  }
  EXPECT_GT(worst, 0) << "an error of exactly zero everywhere would mean that nothing was tested";
}

TEST(Rounding, ByHand) {
  const std::vector<Edge> edges{{0, 1, -3.0}};
  EXPECT_DOUBLE_EQ(rounding_of(make_pairwise_field({1.0, -2.0}, edges, 4.0)),
                   4e-15 * (4 + 1 + 2 + 3));
  // costs 5 - 1 = 4 and 7 - 2 = 5, the best benefit 7
  EXPECT_DOUBLE_EQ(rounding_of(make_flid({1.0, 2.0}, {5.0, 7.0}, 1)), 4e-15 * (4 + 5 + 7));
}

}  // namespace
}  // namespace surefield
