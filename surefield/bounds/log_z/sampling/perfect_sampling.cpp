#include "surefield/bounds/log_z/sampling/perfect_sampling.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr Index kAsked = 64;  // draws between two looks at the clock

/// The tables of leaves that were drawn from, as many as there is room for.
class DrawTables {
 public:
  DrawTables(const LogZTree& tree, double bytes)
      : tree_(tree), place_(tree.leaves(), 0), most_bytes_(std::min(kMostBytes, bytes)) {}

  const LogZTree::DrawTable& operator[](Index leaf) {
    if (place_[leaf] > 0) return kept_[place_[leaf] - 1];
    LogZTree::DrawTable table = tree_.draw_table(leaf);
    bytes_ += static_cast<double>(sizeof(table) + 20 * (table.rest.size() + table.in.size()));
    if (bytes_ > most_bytes_) return last_ = std::move(table);
    kept_.push_back(std::move(table));
    place_[leaf] = static_cast<std::uint32_t>(kept_.size());
    return kept_.back();
  }

 private:
  static constexpr double kMostBytes = 64e6;
  const LogZTree& tree_;
  std::vector<std::uint32_t> place_;  // 1 + among those kept
  std::deque<LogZTree::DrawTable> kept_;
  LogZTree::DrawTable last_;
  double most_bytes_, bytes_ = 0;
};

}  // namespace

PerfectSample perfect_sample(const LogZTree& tree, Index count, std::uint64_t seed,
                             const Budget& budget, Index max_draws) {
  std::vector<double> up_to = tree.upper_shares();
  CompensatedSum sum;
  for (double& share : up_to) {
    sum.add(share);
    share = sum.value();
  }
  Random random(seed);
  DrawTables tables(tree, budget.bytes());
  PerfectSample sample;
  while (sample.sets.size() < count && !(sample.draws % kAsked == 0 && budget.spent())) {
    require(sample.draws < max_draws, "perfect sampling: only ", sample.sets.size(), " of ", count,
            " sets are kept after ", max_draws, " draws: log Z is known to within ",
            tree.log_z().width(), ", which must be smaller");
    ++sample.draws;
    const double at = random.uniform() * up_to.back();
    const auto leaf = std::ranges::upper_bound(up_to, at) - up_to.begin();
    auto proposal =
        tree.propose(tables[std::min(static_cast<Index>(leaf), tree.leaves() - 1)], random);
    if (random.chance(proposal.keep)) sample.sets.push_back(std::move(proposal.set));
  }
  return sample;
}

}  // namespace surefield
