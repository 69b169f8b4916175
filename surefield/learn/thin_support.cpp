#include "surefield/learn/thin_support.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

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
  ThinGraph(const std::vector<PairGain>& gains, Index items, Index width, double price)
      : width_(width), near_(items), places_(items), inside_(items, 0), partners_(items) {
    std::vector<double> all(items, 0.0);
    for (const auto& [i, j, gain] : gains) {
      if (!(gain > price)) continue;
      near_[i].push_back({j, gain - price});
      near_[j].push_back({i, gain - price});
      all[i] += gain - price;
      all[j] += gain - price;
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

PairSupport thin_support(const std::vector<PairGain>& gains, Index items, Index width,
                         double price) {
  require(width >= 1, "thin: the width is ", width, ", which must be at least 1");
  return ThinGraph(gains, items, width, price).grow();
}

}  // namespace surefield
