#include "surefield/learn/thin_support.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr double kPrice = 1;  // of a coupling, in nats of the whole data

struct Neighbour {
  std::uint32_t item;
  double worth;  // > 0
};

/// Where an item outside would be joined: to which of those inside, and what that is worth.
struct Place {
  double worth = 0;
  std::vector<std::uint32_t> clique;
};

/// Items join one after another; cliques grow to `width` and then exchange an item.
class ThinGraph {
 public:
  ThinGraph(const std::vector<PairGain>& gains, Index items, Index width)
      : width_(width), near_(items), places_(items), inside_(items, 0), partners_(items) {
    std::vector<double> all(items, 0.0);
    for (const auto& [i, j, gain] : gains) {
      if (!(gain > kPrice)) continue;
      near_[i].push_back({j, gain - kPrice});
      near_[j].push_back({i, gain - kPrice});
      all[i] += gain - kPrice;
      all[j] += gain - kPrice;
    }
    roots_.resize(items);
    std::iota(roots_.begin(), roots_.end(), 0U);
    std::ranges::stable_sort(roots_, [&](auto a, auto b) { return all[a] > all[b]; });
  }

  PairSupport grow() {
    for (const auto root : roots_) {
      if (inside_[root]) continue;
      join(root);
      while (!queue_.empty()) {
        const auto [worth, negative] = queue_.top();
        queue_.pop();
        const auto item = static_cast<std::uint32_t>(-negative);
        if (!inside_[item] && worth == places_[item].worth) join(item);
      }
    }
    for (auto& mine : partners_) std::ranges::sort(mine);
    return support_of(partners_);
  }

 private:
  void join(std::uint32_t item) {
    inside_[item] = 1;
    std::vector<std::uint32_t> clique = std::move(places_[item].clique);
    for (const auto& [other, worth] : near_[item])
      if (std::ranges::find(clique, other) != clique.end())
        partners_[std::min(item, other)].push_back(std::max(item, other));
    clique.push_back(item);
    offer(clique);
  }

  /// To every item outside, the best `width` of a clique that hold its newest item.
  void offer(const std::vector<std::uint32_t>& clique) {
    std::vector<std::uint32_t> touched;
    if (worth_.empty()) worth_.resize(near_.size());
    for (Index c = 0; c < clique.size(); ++c)
      for (const auto& [other, worth] : near_[clique[c]]) {
        if (inside_[other]) continue;
        auto& mine = worth_[other];
        if (mine.empty()) {
          mine.assign(clique.size(), 0.0);
          touched.push_back(other);
        }
        mine[c] = worth;
      }
    for (const auto item : touched) {
      auto& mine = worth_[item];
      const auto least = static_cast<Index>(
          std::min_element(mine.begin(), mine.end() - (mine.size() > 1 ? 1 : 0)) - mine.begin());
      const bool full = clique.size() > width_;
      double sum = 0;
      for (Index c = 0; c < mine.size(); ++c) sum += full && c == least ? 0 : mine[c];
      mine.clear();
      Place& place = places_[item];
      const Index size = clique.size() - (full ? 1 : 0);
      const bool more = sum > place.worth;
      if (!more && !(sum == place.worth && size > place.clique.size())) continue;
      place = {sum, clique};
      if (full) place.clique.erase(place.clique.begin() + static_cast<std::ptrdiff_t>(least));
      if (more) queue_.push({sum, -static_cast<std::int64_t>(item)});
    }
  }

  Index width_;
  std::vector<std::vector<Neighbour>> near_;
  std::vector<Place> places_;
  std::vector<std::uint8_t> inside_;
  std::vector<std::vector<std::uint32_t>> partners_;
  std::vector<std::uint32_t> roots_;  // most to say first
  std::vector<std::vector<double>> worth_;
  std::priority_queue<std::pair<double, std::int64_t>> queue_;  // ties: the smaller number
};

}  // namespace

std::vector<double> times_met(const DistinctSets& sets, const PairSupport& pairs) {
  const Index n = pairs.items();
  std::vector<std::vector<std::uint32_t>> holders(n);
  for (Index k = 0; k < sets.sets.size(); ++k)
    for (const auto i : sets.sets[k]) holders[i].push_back(static_cast<std::uint32_t>(k));
  std::vector<double> met(n, 0.0), result(pairs.pairs(), 0.0);
  for (Index i = 0; i < n; ++i) {
    for (const auto k : holders[i])
      for (const auto j : sets.sets[k]) met[j] += sets.times[k];
    for (auto e = pairs.start[i]; e < pairs.start[i + 1]; ++e)
      if (pairs.neighbour[e] > i) result[pairs.pair[e]] = met[pairs.neighbour[e]];
    for (const auto k : holders[i])
      for (const auto j : sets.sets[k]) met[j] = 0;
  }
  return result;
}

std::vector<PairGain> pair_gains(const DistinctSets& sets, const PairSupport& pairs,
                                 const std::vector<double>& alone, bool given_non_empty) {
  double total = 0, log_empty = 0;
  for (const double times : sets.times) total += times;
  for (const double q : alone) log_empty += std::log1p(-q);
  if (given_non_empty) total /= -std::expm1(log_empty);
  const std::vector<double> met = times_met(sets, pairs);
  std::vector<PairGain> gains(met.size());
  for (std::uint32_t i = 0; i < pairs.items(); ++i)
    for (auto e = pairs.start[i]; e < pairs.start[i + 1]; ++e) {
      const auto j = pairs.neighbour[e];
      if (j <= i) continue;
      const double expected = total * alone[i] * alone[j];
      const double seen = met[pairs.pair[e]];
      const double more = seen > 0 ? seen * std::log(seen / expected) : 0;
      gains[pairs.pair[e]] = {i, j, more - seen + expected};
    }
  return gains;
}

PairSupport thin_support(const std::vector<PairGain>& gains, Index items, Index width) {
  require(width >= 1, "thin: the width is ", width, ", which must be at least 1");
  return ThinGraph(gains, items, width).grow();
}

}  // namespace surefield
