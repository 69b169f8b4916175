// What the leaves of a tree are good for, once it is refined: marginals and proposals for sampling.
#include <algorithm>
#include <cmath>

#include "surefield/bounds/log_z/tree/log_z_tree.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kUseless = 0.01;  // an error of log Z so large that no marginal is worth a number

}  // namespace

std::vector<Interval> LogZTree::marginals() const {
  const Index n = added_->size();
  struct Sums {  // of e^{F - log_z.high} over the sets with the item, and without
    CompensatedSum with_low, with_high, without_low, without_high;
  };
  std::vector<Sums> sums(n);
  // What was given up may be with the item or without.
  const double given = given_up_ > 0 ? std::exp(given_.high - log_z_.high) : 0;
  for (Sums& sum : sums) sum.with_high.add(given), sum.without_high.add(given);
  Scratch s;
  for (Index leaf = 0; leaf < leaves_.size(); ++leaf) {
    read(bits(leaf), s);
    const double value = look_below(s, s.below);
    look_above(s, s.above);
    ends_of(s.below, s.above, s);
    const double high = std::exp(leaves_[leaf].upper - log_z_.high);
    const double low = std::exp(leaves_[leaf].lower - log_z_.high);
    for (const ItemNumber k : s.in) sums[k].with_low.add(low), sums[k].with_high.add(high);
    for (const ItemNumber k : s.out) sums[k].without_low.add(low), sums[k].without_high.add(high);
    double below = value - margin_;
    for (const double lo : s.lo) below += softplus(lo);
    for (Index r = 0; r < s.rest.size(); ++r) {
      // With the item: e^{first} times the rest of the product from below, e^{up} from above. Without:
      // the rest of the product.
      Sums& sum = sums[s.rest[r]];
      const double rest = below - softplus(s.lo[r]) - log_z_.high;
      sum.with_low.add(std::exp(rest + s.first[r]));
      sum.with_high.add(high * sigmoid(s.up[r]));
      sum.without_low.add(std::exp(rest));
      sum.without_high.add(high * sigmoid(-s.up[r]));
    }
  }
  std::vector<Interval> result(items_, Interval{0, 0});
  for (const Index i : which_.in) result[i] = {1, 1};
  if (margin_ > kUseless) {
    for (const Index i : which_.free) result[i] = {0, 1};
    return result;
  }
  const double all_low = std::exp(log_z_.low - log_z_.high);
  for (Index k = 0; k < n; ++k) {
    const double with_high =
        std::min(sums[k].with_high.value(), std::max(1 - sums[k].without_low.value(), 0.0));
    const double without_high =
        std::min(sums[k].without_high.value(), std::max(1 - sums[k].with_low.value(), 0.0));
    const double with_low = std::max(sums[k].with_low.value(), all_low - without_high);
    const double without_low = std::max(sums[k].without_low.value(), all_low - with_high);
    // Both are 0 where the leaves are still so coarse that everything underflows: nothing is known.
    const double low = with_low > 0 ? with_low / (with_low + without_high) : 0;
    const double high = without_low > 0 ? with_high / (with_high + without_low) : 1;
    const double rounding = 64 * kRounding + 4 * margin_;
    result[which_.free[k]] = {std::clamp(low - rounding, 0.0, 1.0),
                              std::clamp(high + rounding, 0.0, 1.0)};
  }
  return result;
}

std::vector<double> LogZTree::upper_shares() const {
  require(given_up_ == 0, "branch and bound: sets cannot be drawn, ", given_up_,
          " leaves were given up");
  std::vector<double> shares;
  shares.reserve(leaves_.size());
  for (const Leaf& leaf : leaves_) shares.push_back(std::exp(leaf.upper - log_z_.high));
  return shares;
}

LogZTree::DrawTable LogZTree::draw_table(Index leaf) const {
  Scratch s;
  read(bits(leaf), s);
  DrawTable table;
  table.value = look_below(s, s.below);
  look_above(s, s.above);
  ends_of(s.below, s.above, s);
  for (const double up : s.up) table.chance.push_back(sigmoid(up));
  table.up = std::move(s.up);
  table.in = std::move(s.in);
  table.rest = std::move(s.rest);
  return table;
}

LogZTree::Proposal LogZTree::propose(const DrawTable& from, Random& random) const {
  Scratch s;
  s.in = from.in;
  double bound = from.value;
  for (Index r = 0; r < from.rest.size(); ++r)
    if (random.chance(from.chance[r])) {
      s.in.push_back(from.rest[r]);
      bound += from.up[r];
    }
  Proposal proposal{std::vector<std::uint8_t>(items_, 0), 1};
  proposal.keep = std::min(std::exp(look_below(s, s.child_below) - bound), 1.0);
  for (const Index i : which_.in) proposal.set[i] = 1;
  for (const ItemNumber k : s.in) proposal.set[which_.free[k]] = 1;
  return proposal;
}

}  // namespace surefield
