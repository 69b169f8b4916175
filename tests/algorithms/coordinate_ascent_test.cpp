#include "surefield/algorithms/coordinate_ascent.hpp"

#include <gtest/gtest.h>

#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

TEST(CoordinateAscent, OneEpochByHand) {
  const std::vector<Edge> edges{{0, 1, -3.0}};
  const PairwiseField model = make_pairwise_field({1.0, 2.0}, edges);
  const auto report = coordinate_ascent(Elbo(model.at(std::vector{0.5, 0.5})), unit_box(2),
                                        Order::natural(2), {.epochs = 1, .trace = true});
  const double first = sigmoid(1 - 3 * 0.5);  // coordinate 0 sees its neighbour at 1/2
  EXPECT_DOUBLE_EQ(report.point[0], first);
  EXPECT_DOUBLE_EQ(report.point[1], sigmoid(2 - 3 * first));  // coordinate 1 sees the new value
  EXPECT_EQ(report.status, Status::kEpochLimit);
  ASSERT_EQ(report.trace.size(), 1U);
  EXPECT_DOUBLE_EQ(report.trace[0].value, report.value);
}

TEST(CoordinateAscent, ClimbsToAStationaryPointOfTheBox) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = seed % 12;
    const PairwiseField model = testing::random_pairwise(n, 0.4, seed);
    Box box = unit_box(n);
    if (n > 2) box.fix(1, 1), box.low[2] = 0.3, box.high[2] = 0.4;
    auto start = box.low;
    const auto report =
        coordinate_ascent(Elbo(model.at(start)), box, Order::shuffled(n, seed), {.trace = true});
    EXPECT_EQ(report.status, Status::kConverged);
    for (std::size_t k = 1; k < report.trace.size(); ++k)
      EXPECT_GE(report.trace[k].value, report.trace[k - 1].value - 1e-12);
    const Elbo at_end(model.at(report.point));
    for (Index i = 0; i < n; ++i)
      EXPECT_NEAR(report.point[i], at_end.line(i).argmax(box[i]), 1e-9) << "coordinate " << i;
  }
}

TEST(CoordinateAscent, StopsWhenTheObserverSaysSo) {
  const PairwiseField model = testing::random_pairwise(10, 0.5, 3);
  int calls = 0;
  const auto report = coordinate_ascent(
      Elbo(model.at(std::vector<double>(10, 0.0))), unit_box(10), Order::natural(10),
      {.trace = true}, [&](TracePoint& now) { return now.seconds = ++calls, calls < 2; });
  EXPECT_EQ(report.status, Status::kInterrupted);
  EXPECT_EQ(report.trace.size(), 2U);
  EXPECT_EQ(report.trace[1].seconds, 2);
}

TEST(CoordinateAscent, HandlesNoCoordinates) {
  const PairwiseField model = make_pairwise_field({}, {}, 1.5);
  const auto report = coordinate_ascent(Elbo(model.at({})), unit_box(0), Order::natural(0));
  EXPECT_EQ(report.status, Status::kConverged);
  EXPECT_EQ(report.value, 1.5);
}

TEST(CoordinateAscent, GoesOnInTheOrderWhereAnotherRunEnded) {
  const PairwiseField model =
      make_pairwise_field({1.0, 2.0, 0.5}, std::vector<Edge>{{0, 1, -3.0}, {1, 2, -2.0}});
  const std::vector<Index> up{0, 1, 2}, down{2, 1, 0};
  const auto point = [&](std::vector<std::vector<Index>> orders, std::size_t first) {
    return coordinate_ascent(Elbo(model.at(std::vector(3, 0.5))), unit_box(3),
                             Order::given(3, std::move(orders)),
                             {.epochs = 1, .first_epoch = first})
        .point;
  };
  EXPECT_EQ(point({up, down}, 1), point({down}, 0));
  EXPECT_NE(point({up, down}, 0), point({down}, 0));
}

TEST(CoordinateAscent, EndsWhereAnotherHasBeen) {
  // Two optima, (0.02, 0.98) and (0.98, 0.02), and a saddle between them.
  const PairwiseField model = make_pairwise_field({4.0, 4.0}, std::vector<Edge>{{0, 1, -8.0}});
  const auto from = [&](std::vector<double> x, CoordinateAscentOptions options) {
    return coordinate_ascent(Elbo(model.at(x)), unit_box(2), Order::natural(2), options);
  };
  const Report first = from({0.2, 0.8}, {});
  const CoordinateAscentOptions knowing{.known = first.point, .known_value = first.value};
  const Report again = from({0.4, 0.6}, knowing);
  EXPECT_EQ(again.status, Status::kConverged);
  EXPECT_LE(again.value, first.value);
  EXPECT_NEAR(again.value, first.value, 1e-5);
  EXPECT_LT(again.epochs, from({0.4, 0.6}, {}).epochs);
  const Report other = from({0.8, 0.2}, knowing);  // the other optimum is gone to the end
  EXPECT_EQ(other.point, from({0.8, 0.2}, {}).point);
  const CoordinateAscentOptions too_low{.known = first.point, .known_value = first.value - 1};
  EXPECT_EQ(from({0.4, 0.6}, too_low).point,
            from({0.4, 0.6}, {}).point);  // higher: no basin left behind
}

}  // namespace
}  // namespace surefield
