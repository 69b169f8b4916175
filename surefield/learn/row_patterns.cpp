#include "surefield/learn/row_patterns.hpp"

#include <numeric>

namespace surefield {
namespace {

constexpr std::size_t kMostNeighbours = 16;
constexpr std::size_t kPays = 4;  // sets met a pattern, at least

}  // namespace

RowPatterns::RowPatterns(const PairSupport& support, std::span<const std::size_t> start,
                         std::span<const std::uint32_t> holder, std::span<const double> times,
                         std::span<const std::uint8_t> skip)
    : start_{0} {
  const auto holders = [&](Index j) { return holder.subspan(start[j], start[j + 1] - start[j]); };
  std::vector<std::uint32_t> seen(times.size(), 0);  // of each set: its pattern in the row at hand
  std::vector<std::uint32_t> met;
  std::vector<double> weight, holding;  // by pattern
  for (Index i = 0; i < support.items(); ++i) {
    const std::span<const std::uint32_t> near(support.neighbour.data() + support.start[i],
                                              support.start[i + 1] - support.start[i]);
    const std::size_t meets =
        std::accumulate(near.begin(), near.end(), std::size_t{0},
                        [&](std::size_t sum, std::uint32_t j) { return sum + holders(j).size(); });
    const bool skipped = !skip.empty() && skip[i] != 0;
    if (!skipped && near.size() <= kMostNeighbours && meets >= kPays << near.size()) {
      met.clear();
      for (Index k = 0; k < near.size(); ++k)
        for (const auto s : holders(near[k])) {
          if (seen[s] == 0) met.push_back(s);
          seen[s] |= std::uint32_t{1} << k;
        }
      weight.assign(std::size_t{1} << near.size(), 0.0);
      holding.assign(weight.size(), 0.0);
      for (const auto s : met) weight[seen[s]] += times[s];
      for (const auto s : holders(i)) holding[seen[s]] += times[s];
      for (std::uint32_t p = 1; p < weight.size(); ++p)
        if (weight[p] > 0) patterns_.push_back({p, weight[p], holding[p]});
      for (const auto s : met) seen[s] = 0;
    }
    start_.push_back(patterns_.size());
  }
}

}  // namespace surefield
