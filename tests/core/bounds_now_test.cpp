#include "surefield/core/bounds_now.hpp"

#include <gtest/gtest.h>

namespace surefield {
namespace {

using News = BoundsSoFar::News;
using Ends = std::pair<std::optional<double>, std::optional<double>>;

/// The news in each of the bounds told, and what is known after it.
std::vector<std::pair<News, Ends>> shown(const std::vector<BoundsNow>& told) {
  BoundsSoFar so_far;
  std::vector<std::pair<News, Ends>> out;
  for (const BoundsNow& now : told) {
    const News news = so_far.news_in(now);
    so_far.add(now);
    out.push_back({news, {so_far.low, so_far.high}});
  }
  return out;
}

TEST(BoundsSoFar, EndsComeNearerAndNeverLeave) {
  EXPECT_EQ(shown({{},
                   {.low = 1},
                   {.low = 0},
                   {.low = 2},
                   {.high = 9},
                   {.low = 1, .high = 10},
                   {.low = 1, .high = 8},
                   {.low = 3, .high = 9}}),
            (std::vector<std::pair<News, Ends>>{{News::kNone, {{}, {}}},
                                                {News::kFirst, {1, {}}},
                                                {News::kNone, {1, {}}},
                                                {News::kNearer, {2, {}}},
                                                {News::kFirst, {2, 9}},
                                                {News::kNone, {2, 9}},
                                                {News::kNearer, {2, 8}},
                                                {News::kNearer, {3, 8}}}));
}

}  // namespace
}  // namespace surefield
