#include "surefield/bounds/spectral/cut_ends.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "surefield/bounds/spectral/spectral_newton.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/bounds/spectral/random_signed_field.hpp"
#include "tests/support/random_box.hpp"

namespace surefield {
namespace {

// Whatever is good enough: a point that is cut off has no larger value than what is said of it, which is good enough. Fields
// without couplings have exact bounds, so that a cut that goes on where it should end is seen at once.
TEST(CutEnds, NoPointCutOffIsAboveWhatIsSaidOfIt) {
  int cut = 0, emptied = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(4);
    PairwiseField field = testing::random_signed_field(n, random, random.chance(0.5) ? 1 : 0.2);
    if (seed % 2 == 0) field = make_pairwise_field(field.bias, {}, field.constant);
    const Box box = random.chance(0.5) ? unit_box(n) : testing::random_box(n, random);
    const Quadratic quadratic = free_quadratic(field, box, true);
    if (quadratic.size() == 0) continue;
    const Eigen::VectorXd z = (quadratic.low + quadratic.high) / 2;
    const SpectralProof proof =
        spectral_proof(quadratic, z, dominant_point(quadratic).d, 1e-10, Budget());
    ASSERT_LT(proof.bound, kInfinity);
    const double good_enough =
        random.chance(0.1) ? proof.bound + 0.1 : proof.bound - std::pow(10, random.uniform(-3, 1));
    BoxVisit<int> visit{.node = {proof.bound, box, nullptr}, .number = 1};
    const bool any = cut_ends(visit, quadratic, proof, good_enough, 1e-10);
    EXPECT_EQ(any, visit.cut_off > -kInfinity);
    EXPECT_LE(visit.cut_off, good_enough);
    const Box& left = visit.node.box;
    const Index first = quadratic.item[0];  // both ends meet where all is good enough
    emptied += left[first].is_point();
    for (int draw = 0; draw < 300; ++draw) {
      std::vector<double> x(n);
      for (Index i = 0; i < n; ++i)
        x[i] = box[i].clamp(box.low[i] + random.uniform() * box[i].width());
      bool inside = true;
      for (Index i = 0; i < n; ++i) inside = inside && left[i].contains(x[i]);
      if (inside) continue;
      ++cut;
      const double value = Elbo(field.at(x)).value();
      ASSERT_LE(value, visit.cut_off + 1e-13 * (1 + std::abs(value)));
    }
  }
  EXPECT_GT(cut, 10000);
  EXPECT_GT(emptied, 10);
}

// One visit that cuts off a part of bound 5 and leaves one of bound 2: together no more than 5, and no less.
TEST(BoxRounds, RememberTheBoundOfWhatIsCutOff) {
  for (const bool alive : {false, true}) {
    BoxRounds<int> rounds(unit_box(1), {0.5}, 1, {.absolute_gap = 0.5, .nodes = 1});
    const auto report = rounds([&](BoxVisit<int>& visit, const BoxRoundNow&) {
      visit.node.bound = 2;
      visit.cut_off = 5;
      visit.alive = alive;
    });
    EXPECT_EQ(report.bound, 5);
    EXPECT_EQ(report.value, 1);
    EXPECT_EQ(report.status, Status::kEpochLimit);
  }
}

}  // namespace
}  // namespace surefield
