#include "surefield/report/set_statistics_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefield {

std::string set_statistics_text(const SetStatistics& statistics, std::span<const std::string> names,
                                Index first_id, Index most_items) {
  std::string out =
      fmt::format("sets: {}, distinct: {}, items: {}; size {:.2f} mean, {} median, {} largest\n",
                  statistics.sets, statistics.distinct_sets, statistics.items, statistics.mean_size,
                  statistics.median_size, statistics.largest_size);
  if (statistics.empty_sets > 0) out += fmt::format("empty sets: {}\n", statistics.empty_sets);
  if (statistics.never_seen > 0) out += fmt::format("items in no set: {}\n", statistics.never_seen);
  const Index shown = std::min(most_items, statistics.items - statistics.never_seen);
  if (shown > 0) out += "most frequent:\n";
  for (Index k = 0; k < shown; ++k) {
    const Index i = statistics.by_frequency[k];
    out += fmt::format(
        "  {:>6.2f} %  {}\n",
        100 * static_cast<double>(statistics.counts[i]) / static_cast<double>(statistics.sets),
        i < names.size() ? names[i] : fmt::format("item {}", i + first_id));
  }
  return out;
}

}  // namespace surefield
