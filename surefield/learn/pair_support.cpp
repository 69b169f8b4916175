#include "surefield/learn/pair_support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr double kBytesAPair = 24;  // two ends of a neighbour and a number each, and the first half

/// The sets that hold each item, by number.
std::vector<std::vector<std::uint32_t>> sets_by_item(const FlatSets& sets, Index items) {
  std::vector<std::vector<std::uint32_t>> holders(items);
  for (Index k = 0; k < sets.size(); ++k)
    for (const auto i : sets[k]) holders[i].push_back(static_cast<std::uint32_t>(k));
  return holders;
}

/// Items that are in some set, most frequent first, ties by number.
std::vector<std::uint32_t> by_frequency(const std::vector<double>& count) {
  std::vector<std::uint32_t> order(count.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](auto a, auto b) { return count[a] > count[b]; });
  return order;
}

/// For every i, its partners j > i, ascending.
std::vector<std::vector<std::uint32_t>> upper_partners(const DistinctSets& sets, Index items,
                                                       double least, const Budget& budget) {
  std::vector<std::vector<std::uint32_t>> partners(items);
  std::vector<double> count(items, 0.0);
  double total = 0;
  for (Index k = 0; k < sets.sets.size(); ++k) {
    total += sets.times[k];
    for (const auto i : sets.sets[k]) count[i] += sets.times[k];
  }
  const auto holders = sets_by_item(sets.sets, items);
  const auto frequent = by_frequency(count);
  std::vector<double> met(items, 0.0);
  std::vector<std::uint32_t> seen;
  double kept = 0;
  for (Index i = 0; i < items; ++i) {
    seen.clear();
    for (const auto k : holders[i])
      for (const auto j : sets.sets[k]) {
        if (j <= i) continue;
        if (met[j] == 0) seen.push_back(j);
        met[j] += sets.times[k];
      }
    auto& mine = partners[i];
    for (const auto j : seen)
      if (met[j] >= least) mine.push_back(j);
    for (const auto j : frequent) {
      if (count[i] * count[j] < least * total) break;  // all behind it are rarer
      if (j > i && !(met[j] > 0 && met[j] >= least)) mine.push_back(j);
    }
    for (const auto j : seen) met[j] = 0;
    std::sort(mine.begin(), mine.end());
    kept += static_cast<double>(mine.size());
    budget.require({.operations = 0, .bytes = kBytesAPair * kept}, "couplings of pairs of items");
  }
  return partners;
}

}  // namespace

double default_least_pair(Index items) {
  constexpr double kFewPairs = 1e5;
  const auto n = static_cast<double>(items);
  return n * (n - 1) / 2 <= kFewPairs ? 0 : 2;
}

PairSupport pair_support(const DistinctSets& sets, Index items, double least,
                         const Budget& budget) {
  require(std::isfinite(least) && least >= 0, "pairs: the least number of sets is ", least,
          ", which must be finite and >= 0");
  return support_of(upper_partners(sets, items, least, budget));
}

PairSupport support_of(const std::vector<std::vector<std::uint32_t>>& partners) {
  const Index items = partners.size();
  PairSupport support;
  support.start.assign(items + 1, 0);
  std::size_t pairs = 0;
  for (Index i = 0; i < items; ++i) {
    support.start[i + 1] += partners[i].size();
    for (const auto j : partners[i]) ++support.start[j + 1];
    pairs += partners[i].size();
  }
  require(pairs < std::numeric_limits<std::uint32_t>::max(), "pairs: there are ", pairs,
          " of them, which must be below 2^32; ask for pairs of more sets");
  for (Index i = 0; i < items; ++i) support.start[i + 1] += support.start[i];
  support.neighbour.resize(2 * pairs);
  support.pair.resize(2 * pairs);
  auto next = support.start;
  std::uint32_t number = 0;
  // Ends of j from smaller i come first, as i ascends; then those to larger ones.
  for (Index i = 0; i < items; ++i)
    for (const auto j : partners[i]) {
      const auto from = next[i]++;
      const auto to = next[j]++;
      support.neighbour[from] = j;
      support.neighbour[to] = static_cast<std::uint32_t>(i);
      support.pair[from] = support.pair[to] = number++;
    }
  return support;
}

}  // namespace surefield
