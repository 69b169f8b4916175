#include "surefield/api/best_start.hpp"

#include <gtest/gtest.h>

#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

Report ended(double value, std::optional<double> upper_bound, Status status = Status::kConverged) {
  return {
      .status = status, .point = {value}, .value = value, .upper_bound = upper_bound, .trace = {}};
}

TEST(BestStart, KeepsTheBestPointAndTheLeastBoundWhoeverHasThem) {
  BestStart best(Basis::kProved);
  best.consider(ended(1, 5));
  best.consider(ended(3, 7));
  EXPECT_EQ(best.report().point, std::vector{3.0});
  EXPECT_EQ(best.report().upper_bound, 5);
  best.consider(ended(2, 4));
  EXPECT_EQ(best.report().point, std::vector{3.0});
  EXPECT_EQ(best.report().upper_bound, 4);
  best.consider(ended(3.5, std::nullopt));  // an ascent proves nothing
  EXPECT_EQ(best.report().upper_bound, 4);
  best.consider(ended(3.5, kInfinity));
  EXPECT_EQ(std::move(best).take().upper_bound, 4);
}

TEST(BestStart, OfEqualValuesTheFirstIsKept) {
  BestStart best(Basis::kProved);
  best.consider(ended(1, std::nullopt));
  Report same = ended(1, 2);
  same.point = {7};
  best.consider(same);
  EXPECT_EQ(best.report().point, std::vector{1.0});
  EXPECT_EQ(best.report().upper_bound, 2);
}

TEST(BestStart, IsOpenUntilTheBoundIsTheValueOrTheBestWasCutShort) {
  BestStart best(Basis::kProved);
  best.consider(ended(1, 2));
  EXPECT_TRUE(best.is_open());
  best.consider(ended(0.5, 1.5, Status::kInterrupted));  // not the best
  EXPECT_TRUE(best.is_open());
  best.consider(ended(1.5 - 1e-9, std::nullopt));
  EXPECT_FALSE(best.is_open());
  BestStart stopped(Basis::kProved);
  stopped.consider(ended(1, std::nullopt));
  EXPECT_TRUE(stopped.is_open());
  stopped.consider(ended(2, std::nullopt, Status::kInterrupted));
  EXPECT_FALSE(stopped.is_open());
}

}  // namespace
}  // namespace surefield
