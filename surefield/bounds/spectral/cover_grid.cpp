#include "surefield/bounds/spectral/cover_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "surefield/core/exp_batch.hpp"
#include "surefield/core/lane_sums.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/vector_exp.hpp"

namespace surefield {
namespace {

constexpr double kMostGridPoints = 700;  // with bends

// Lanes side by side, and all of these inlined: see core/lane_sums.hpp.
constexpr std::size_t kGridLanes = 8;

[[gnu::always_inline]] inline double greatest_over_lanes(const double* at, std::size_t count) {
  double lane[kGridLanes];
  std::fill_n(lane, kGridLanes, -kInfinity);
  std::size_t v = 0;
  for (; v + kGridLanes <= count; v += kGridLanes)
    for (std::size_t k = 0; k < kGridLanes; ++k)
      lane[k] = lane[k] > at[v + k] ? lane[k] : at[v + k];
  double most = -kInfinity;
  for (; v < count; ++v) most = std::max(most, at[v]);
  for (const double one : lane) most = std::max(most, one);
  return most;
}

/// to[v] += factor * from[v]
[[gnu::always_inline]] inline void add_slice(double* to, double factor, const double* from,
                                             std::size_t count) {
  for (std::size_t v = 0; v < count; ++v) to[v] += factor * from[v];
}

}  // namespace

CoverGrid::CoverGrid(double weight, std::vector<Member> members, CoverCoefficients at)
    : weight_(weight), members_(std::move(members)), at_(at) {
  std::vector<Index> widest(members_.size());
  std::iota(widest.begin(), widest.end(), Index{0});
  const auto width = [&](Index a) { return members_[a].high - members_[a].low; };
  std::ranges::stable_sort(widest, [&](Index a, Index b) { return width(a) > width(b); });
  double points = std::exp2(static_cast<double>(members_.size()));
  for (const Index a : widest) {
    Member& member = members_[a];
    member.bent = member.low < member.bend_at && member.bend_at < member.high &&
                  1.5 * points <= kMostGridPoints;
    if (member.bent) points *= 1.5;
  }
  cover_ = {weight_};
  for (const Member& member : members_) {
    grid_.push_back(grid_of(member));
    over_.emplace_back();
    for (const double x : grid_.back())
      over_.back().push_back(member.bent ? std::max(0.0, x - member.bend_at) : 0);
    const std::size_t below = cover_.size();
    cover_.resize(below * grid_.back().size());
    for (std::size_t j = grid_.back().size(); j-- > 0;)
      for (std::size_t v = 0; v < below; ++v)
        cover_[j * below + v] = cover_[v] * member.term.missed(grid_.back()[j]);
  }
  for (double& one : cover_) one = weight_ - one;
  rest_.resize(cover_.size()), chance_.resize(cover_.size()), line_.resize(cover_.size());
}

double CoverGrid::most_points(Index members) {
  const double corners = std::exp2(static_cast<double>(members));
  return std::max(corners, std::min(kMostGridPoints, std::pow(3, static_cast<double>(members))));
}

std::vector<double> CoverGrid::grid_of(const Member& member) const {
  if (member.bent) return {member.low, member.bend_at, member.high};
  return {member.low, member.high};
}

SUREFIELD_VECTOR_CLONES void CoverGrid::move(std::span<const double> coefficient) {
  size_ = std::abs(weight_);
  rest_[0] = 0;
  std::size_t below = 1;
  for (Index a = 0; a < members_.size(); ++a) {
    const Index u = members_[a].place;
    const double slope = coefficient[at_.slope(u)];
    const double bend = members_[a].bent ? coefficient[at_.bend(u)] : 0;
    size_ += std::abs(slope) + std::abs(bend);
    line_[0] = slope;
    std::size_t under = 1;
    for (Index b = 0; b < a; ++b) {
      const double pair = coefficient[at_.pair(u, members_[b].place)];
      size_ += std::abs(pair);
      for (std::size_t j = grid_[b].size(); j-- > 0;) {
        const double term = pair * grid_[b][j];
        for (std::size_t v = 0; v < under; ++v) line_[j * under + v] = line_[v] + term;
      }
      under *= grid_[b].size();
    }
    for (std::size_t j = grid_[a].size(); j-- > 0;) {
      const double x = grid_[a][j], bent = bend * over_[a][j];
      for (std::size_t v = 0; v < below; ++v)
        rest_[j * below + v] = rest_[v] + (x * line_[v] + bent);
    }
    below *= grid_[a].size();
  }
  for (std::size_t v = 0; v < rest_.size(); ++v) rest_[v] = cover_[v] - rest_[v];
  excess_ = greatest_over_lanes(rest_.data(), rest_.size());
}

SUREFIELD_VECTOR_CLONES double CoverGrid::soften(const SpectralBarrier& barrier, double weight,
                                                 double softness, std::span<double> slope,
                                                 Eigen::VectorXd& owed) {
  const double each = 1 / softness;
  for (std::size_t v = 0; v < rest_.size(); ++v) chance_[v] = (rest_[v] - excess_) * each;
  exp_batch(chance_);
  double* const chance = chance_.data();
  double* const line = line_.data();
  const double sum =
      sum_over_lanes<kGridLanes>(chance_.size(), [&](std::size_t v) { return chance[v]; });
  const double share = 1 / sum;
  for (std::size_t v = 0; v < chance_.size(); ++v) chance[v] *= share;
  const double mean_cover = sum_over_lanes<kGridLanes>(
      chance_.size(), [&](std::size_t v) { return chance[v] * cover_[v]; });
  double widths = 0, missed = weight_;
  std::size_t below = chance_.size();
  for (Index a = members_.size(); a-- > 0;) {
    const Member& member = members_[a];
    below /= grid_[a].size();
    double mean = 0, over = 0;
    std::fill_n(line_.begin(), below, 0.0);
    for (std::size_t j = 0; j < grid_[a].size(); ++j) {
      const double* const slice = chance + j * below;
      const double here =
          sum_over_lanes<kGridLanes>(below, [&](std::size_t v) { return slice[v]; });
      mean += grid_[a][j] * here, over += over_[a][j] * here;
      add_slice(line, grid_[a][j], slice, below);
    }
    for (std::size_t j = 1; j < grid_[a].size(); ++j)
      add_slice(chance, 1, chance + j * below, below);
    slope[at_.slope(member.place)] += barrier.z()[member.item] - mean;
    if (member.bent) slope[at_.bend(member.place)] += barrier.over(member.item) - over;
    missed *= member.term.missed(mean);
    widths += (member.high - member.low) * (member.high - member.low);
    std::size_t under = below;
    for (Index b = a; b-- > 0;) {
      under /= grid_[b].size();
      double both = 0;
      for (std::size_t j = 0; j < grid_[b].size(); ++j) {
        const double* const slice = line + j * under;
        both += grid_[b][j] *
                sum_over_lanes<kGridLanes>(under, [&](std::size_t v) { return slice[v]; });
      }
      for (std::size_t j = 1; j < grid_[b].size(); ++j) add_slice(line, 1, line + j * under, under);
      slope[at_.pair(member.place, members_[b].place)] +=
          barrier.moment(member.item, members_[b].item, weight) - both;
    }
  }
  const double gap = std::max(0.0, mean_cover - (weight_ - missed));
  for (const Member& member : members_)
    owed[member.item] += gap * (member.high - member.low) * (member.high - member.low) / widths;
  return softness * std::log(sum);
}

void CoverGrid::tangent(std::span<double> coefficient) const {
  constexpr double kShare = 0.2;  // of the interval
  const auto x = [&](const Member& one) { return one.low + kShare * (one.high - one.low); };
  double missed = weight_;
  for (const Member& member : members_) missed *= member.term.missed(x(member));
  if (missed == 0) return;  // flat, or smaller than a double can be
  const auto fall = [&](const Member& one) { return one.term.fall / one.term.missed(x(one)); };
  for (Index a = 0; a < members_.size(); ++a) {
    const Member& one = members_[a];
    coefficient[at_.slope(one.place)] += missed * fall(one);
    for (Index b = 0; b < a; ++b) {
      const Member& other = members_[b];
      const double pair = -missed * fall(one) * fall(other);
      coefficient[at_.pair(one.place, other.place)] = pair;
      coefficient[at_.slope(one.place)] -= pair * x(other);
      coefficient[at_.slope(other.place)] -= pair * x(one);
    }
  }
}

}  // namespace surefield
