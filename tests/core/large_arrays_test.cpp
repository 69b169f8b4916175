// Arrays of every size lie on cache lines, the large ones on pages, and hold what is put into them.
#include "surefield/core/large_arrays.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace surefield {
namespace {

TEST(LargeArrays, HoldWhatIsPutIntoThem) {
  for (const std::size_t count : {0, 1, 7, 1000, 600000}) {
    std::vector<double, LargeArrays<double>> list(count);
    const auto address = reinterpret_cast<std::uintptr_t>(list.data());
    const std::uintptr_t page = count == 600000 ? std::uintptr_t{1} << 21 : 64;  // 4.8 MB
    EXPECT_EQ(address % page, 0U);
    for (std::size_t k = 0; k < count; ++k) list[k] = static_cast<double>(k);
    const auto copy = list;
    list.resize(count + 1);
    list.back() = -1;
    ASSERT_EQ(copy.size(), count);
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(copy[k], list[k]);
    const std::vector<double, LargeArrays<double>> threes(count, 3);
    for (const double v : threes) ASSERT_EQ(v, 3);
  }
}

TEST(LargeArrays, GiveRoomInAVectorOfSomebodyElse) {
  for (const std::size_t count : {0, 1, 1000, 600000, 2000000}) {
    std::vector<double> list;
    reserve_large(list, count);
    EXPECT_GE(list.capacity(), count);
    const double* const place = list.data();
    for (std::size_t k = 0; k < count; ++k) list.push_back(static_cast<double>(k));
    EXPECT_EQ(list.data(), place);
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(list[k], static_cast<double>(k));
  }
}

}  // namespace
}  // namespace surefield
