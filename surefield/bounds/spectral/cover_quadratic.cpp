#include "surefield/bounds/spectral/cover_quadratic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/bounds/free_field.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kCovered = 1e-100;  // what is missed of a concept so little is taken as covered
constexpr double kBendAt = 0.35, kBendInside = 0.1;  // shares of an interval
constexpr double kMostLogit = 8;                     // a share that has gone can come back

/// How much F can change along each coordinate.
std::vector<double> steepest_slopes(const CoverTerms& terms) {
  std::vector<double> most(terms.size());
  for (Index i = 0; i < most.size(); ++i) most[i] = std::abs(terms.linear[i]);
  for (const Edge& pair : terms.pairs) {
    most[pair.from] += std::abs(pair.weight);
    most[pair.to] += std::abs(pair.weight);
  }
  for (const CoverTerms::Concept& cover : terms.concepts)
    for (const CoverTerms::Member& member : cover.members)
      most[member.item] += std::abs(cover.weight * member.fall);
  return most;
}

}  // namespace

std::vector<double> bends_inside(const Box& box, std::span<const float> before) {
  std::vector<double> bends(box.size());
  for (Index i = 0; i < box.size(); ++i) {
    const double low = box.low[i], width = box[i].width();
    const bool stays = !before.empty() && before[i] > low + kBendInside * width &&
                       before[i] < low + (1 - kBendInside) * width;
    bends[i] = stays ? before[i] : static_cast<float>(low + kBendAt * width);  // can be handed on
  }
  return bends;
}

CoverQuadratic::CoverQuadratic(const CoverTerms& terms, const Box& box, double narrow,
                               std::vector<double> bends)
    : bends_(std::move(bends)) {
  const Index n = terms.size();
  bends_.resize(n, -1);  // nowhere
  require_inside_unit(box, n);
  const std::vector<double> steep = steepest_slopes(terms);
  std::vector<Eigen::Index> place(n, -1);
  std::vector<double> value(n, 0);  // of those put in
  double sizes = std::abs(terms.constant), moved = 0;
  for (Index i = 0; i < n; ++i) {
    const double middle = box[i].clamp(box.low[i] + box[i].width() / 2);
    const double change =
        box[i].is_point() ? 0 : steep[i] * box[i].width() + entropy_rise(box[i], middle);
    if (change > narrow) {
      place[i] = static_cast<Eigen::Index>(fixed_.item.size());
      fixed_.item.push_back(i);
    } else {
      value[i] = middle, moved += change;
    }
  }
  const auto free = static_cast<Eigen::Index>(fixed_.item.size());
  fixed_.bias.setZero(free), fixed_.low.resize(free), fixed_.high.resize(free);
  fixed_.bend.setZero(free), fixed_.bend_at.resize(free);
  CompensatedSum constant;
  constant.add(terms.constant);
  const auto put_in = [&](double term) { constant.add(term), sizes += std::abs(term); };
  for (Index i = 0; i < n; ++i) {
    if (place[i] < 0) {
      put_in(terms.linear[i] * value[i]), put_in(entropy(value[i]));
      continue;
    }
    fixed_.bias[place[i]] = terms.linear[i];
    fixed_.low[place[i]] = box.low[i], fixed_.high[place[i]] = box.high[i];
    fixed_.bend_at[place[i]] = bends_[i];
    sizes += std::abs(terms.linear[i]);
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (const Edge& pair : terms.pairs) {
    const Eigen::Index i = place[pair.from], j = place[pair.to];
    sizes += 2 * std::abs(pair.weight);
    if (i >= 0 && j >= 0) {
      entries.emplace_back(i, j, pair.weight), entries.emplace_back(j, i, pair.weight);
    } else if (i < 0 && j < 0) {
      put_in(pair.weight * value[pair.from] * value[pair.to]);
    } else {
      fixed_.bias[std::max(i, j)] += pair.weight * value[i < 0 ? pair.from : pair.to];
    }
  }
  double longest = 0, additions = static_cast<double>(terms.pairs.size());
  for (const CoverTerms::Concept& cover : terms.concepts) {
    const auto k = static_cast<double>(cover.members.size());
    longest = std::max(longest, k), additions += k;
    sizes += std::abs(cover.weight) * (6 * k + 4);  // Q rise_i and Q rise_i rise_j are at most 1
    const bool on_grid = cover.members.size() <= CoverTerms::kFewMembers;
    const CoverCoefficients at{coefficients_, cover.members.size()};
    Star star{.first_logit = coefficients_, .most_logit = coefficients_ + cover.members.size()};
    coefficients_ += on_grid ? at.count(cover.members.size()) : cover.members.size() + 1;
    std::vector<CoverGrid::Member> members;
    double left = 1, put = 1, at_high = 1;
    for (Index u = 0; u < cover.members.size() && left > kCovered; ++u) {
      const CoverTerms::Member& term = cover.members[u];
      const Index item = term.item;
      const Eigen::Index free_place = place[item];
      const double low = free_place < 0 ? value[item] : box.low[item], out = term.missed(low);
      if (free_place < 0) put *= out;
      left *= free_place < 0 ? out : std::max(out, term.missed(box.high[item]));
      if (free_place < 0 || left <= kCovered) continue;
      if (!on_grid) {
        at_high *= term.missed(box.high[item]) / out;
        star.members.push_back({free_place, term.fall / out, low, star.first_logit + u});
      }
      members.push_back({free_place, u, term, box.low[item], box.high[item], bends_[item]});
    }
    if (left <= kCovered) {
      constant.add(cover.weight);
      continue;
    }
    constant.add(cover.weight * (1 - (on_grid ? put : left)));
    if (members.empty()) continue;
    for (Index a = 0; a < members.size(); ++a)
      for (Index b = 0; b < a; ++b) {
        entries.emplace_back(members[a].item, members[b].item, 0.0);
        entries.emplace_back(members[b].item, members[a].item, 0.0);
      }
    if (on_grid) {
      grids_.emplace_back(cover.weight * put, std::move(members), at);
      continue;
    }
    star.weight = cover.weight * left;
    star.most = std::min(1.0, 1 - at_high);
    stars_.push_back(std::move(star));
  }
  fixed_.couplings.resize(free, free);
  fixed_.couplings.setFromTriplets(entries.begin(), entries.end());
  fixed_.constant = constant.value();
  fixed_.error =
      (moved + gamma_of(6 * longest + 32 + additions) * sizes) * (1 + gamma_of(2 * additions + 64));
  roundings_ = 12 * longest + 64 + additions;
  const auto find_pairs = [&](const auto& members) {
    for (Index a = 0; a < members.size(); ++a)
      for (Index b = 0; b < a; ++b) {
        const Eigen::Index i = members[a].item, j = members[b].item;
        const double* const values = fixed_.couplings.valuePtr();
        pair_place_.push_back(&fixed_.couplings.coeffRef(i, j) - values);
        pair_place_.push_back(&fixed_.couplings.coeffRef(j, i) - values);
      }
  };
  for (const Star& star : stars_) find_pairs(star.members);
  for (const CoverGrid& grid : grids_) find_pairs(grid.members());
  share_.assign(coefficients_, 0);
  move(tangent());
}

double CoverQuadratic::most_points(const CoverTerms& terms) {
  double points = 0;
  for (const CoverTerms::Concept& cover : terms.concepts)
    if (cover.members.size() <= CoverTerms::kFewMembers)
      points += CoverGrid::most_points(cover.members.size());
  return points;
}

std::vector<double> CoverQuadratic::tangent() const {
  std::vector<double> result(coefficients_, 0);
  for (const CoverGrid& grid : grids_) grid.tangent(result);
  return result;
}

std::vector<double> CoverQuadratic::inherit(std::span<const float> coefficient,
                                            std::span<const float> bends) const {
  std::vector<double> result(coefficient.begin(), coefficient.end());
  for (const Star& star : stars_)
    for (Index k = star.first_logit; k <= star.most_logit; ++k)
      result[k] = std::clamp(result[k], -kMostLogit, kMostLogit);
  for (const CoverGrid& grid : grids_)
    for (const CoverGrid::Member& member : grid.members()) {
      const double before = bends[quadratic_.item[static_cast<std::size_t>(member.item)]];
      if (member.bent && before == member.bend_at) continue;
      // A bend that is not there any more becomes its chord.
      double& bend = result[grid.at().bend(member.place)];
      const double above = (member.high - before) / (member.high - member.low);
      result[grid.at().slope(member.place)] += bend * std::clamp(above, 0.0, 1.0);
      bend = 0;
    }
  return result;
}

void CoverQuadratic::move(std::span<const double> coefficient) {
  const std::span<const double> logit = coefficient;
  quadratic_ = fixed_;
  double* const coupling = quadratic_.couplings.valuePtr();
  CompensatedSum constant;
  constant.add(fixed_.constant);
  std::size_t pair = 0;
  for (const Star& piece : stars_) {
    double highest = logit[piece.most_logit], sum = 0;
    for (const Member& member : piece.members) highest = std::max(highest, logit[member.logit]);
    for (const Member& member : piece.members)
      sum += share_[member.logit] = std::exp(logit[member.logit] - highest);
    sum += share_[piece.most_logit] = std::exp(logit[piece.most_logit] - highest);
    for (const Member& member : piece.members) share_[member.logit] /= sum;
    const double whole = share_[piece.most_logit] /= sum;
    double stars = 0;
    for (const Member& member : piece.members) stars += share_[member.logit];
    constant.add(piece.weight * whole * piece.most);
    for (Index a = 0; a < piece.members.size(); ++a) {
      const Member& one = piece.members[a];
      const double linear = piece.weight * stars * one.rise;
      quadratic_.bias[one.item] += linear;
      constant.add(-linear * one.low);
      for (Index b = 0; b < a; ++b, pair += 2) {
        const Member& other = piece.members[b];
        const double both =
            piece.weight * one.rise * other.rise * (share_[one.logit] + share_[other.logit]);
        coupling[pair_place_[pair]] -= both;
        coupling[pair_place_[pair + 1]] -= both;
        quadratic_.bias[one.item] += both * other.low;
        quadratic_.bias[other.item] += both * one.low;
        constant.add(-both * one.low * other.low);
      }
    }
  }
  double sizes = 0;
  for (CoverGrid& grid : grids_) {
    grid.move(coefficient);
    constant.add(grid.excess());
    sizes += grid.size() + std::abs(grid.excess());
    for (Index a = 0; a < grid.members().size(); ++a) {
      const CoverGrid::Member& one = grid.members()[a];
      quadratic_.bias[one.item] += coefficient[grid.at().slope(one.place)];
      if (one.bent) quadratic_.bend[one.item] += coefficient[grid.at().bend(one.place)];
      for (Index b = 0; b < a; ++b, pair += 2) {
        const double both = coefficient[grid.at().pair(one.place, grid.members()[b].place)];
        coupling[pair_place_[pair]] += both;
        coupling[pair_place_[pair + 1]] += both;
      }
    }
  }
  quadratic_.constant = constant.value();
  quadratic_.error += 2 * gamma_of(roundings_) * sizes;
}

double CoverQuadratic::slope(const SpectralBarrier& at, double weight, double softness,
                             std::span<double> out) {
  std::ranges::fill(out, 0.0);
  owed_.setZero(quadratic_.bias.size());
  double added = 0;
  for (const Star& star : stars_) added += star_slope(star, at, weight, softness, out);
  for (CoverGrid& grid : grids_) added += grid.soften(at, weight, softness, out, owed_);
  return added;
}

double CoverQuadratic::star_slope(const Star& star, const SpectralBarrier& at, double weight,
                                  double softness, std::span<double> out) const {
  const Eigen::VectorXd& z = at.z();
  std::vector<double> by_share(star.members.size(), 0);
  double barrier = 0, all = 0;
  for (Index a = 0; a < star.members.size(); ++a) {
    const Member& one = star.members[a];
    all += one.rise * (z[one.item] - one.low);
    for (Index b = 0; b < a; ++b) {
      const Member& other = star.members[b];
      const double both = one.rise * other.rise *
                          (at.moment(one.item, other.item, weight) - one.low * z[other.item] -
                           other.low * z[one.item] + one.low * other.low);
      by_share[a] -= both, by_share[b] -= both;
    }
  }
  double mean = 0;
  const auto visit = [&](Index logit, double slope) {
    const double share = std::max(share_[logit], 1e-300);
    out[logit] = star.weight * slope - softness / share;
    barrier -= softness * std::log(share);
    mean += share * out[logit];
  };
  for (Index a = 0; a < star.members.size(); ++a) visit(star.members[a].logit, all + by_share[a]);
  visit(star.most_logit, star.most);
  for (const Member& member : star.members)
    out[member.logit] = share_[member.logit] * (out[member.logit] - mean);
  out[star.most_logit] = share_[star.most_logit] * (out[star.most_logit] - mean);
  return barrier;
}

}  // namespace surefield
