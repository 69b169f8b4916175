#include "surefield/bounds/spectral/cover_quadratic.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/free_field.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kCovered = 1e-100;  // what is missed of a concept so little is taken as covered

/// 1 - p x as a sum of two terms >= 0: its relative accuracy is that of four roundings.
double missed_by(double p, double x) { return (1 - x) + x * (1 - p); }

/// How much F can change along each coordinate.
std::vector<double> steepest_slopes(const CoverTerms& terms) {
  std::vector<double> most(terms.size());
  for (Index i = 0; i < most.size(); ++i) most[i] = std::abs(terms.linear[i]);
  for (const Edge& pair : terms.pairs) {
    most[pair.from] += std::abs(pair.weight);
    most[pair.to] += std::abs(pair.weight);
  }
  for (const CoverTerms::Cover& cover : terms.covers)
    for (const Entry& member : cover.members) most[member.index] += cover.weight * member.value;
  return most;
}

}  // namespace

CoverQuadratic::CoverQuadratic(const CoverTerms& terms, const Box& box, double narrow) {
  const Index n = terms.size();
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
  for (const CoverTerms::Cover& cover : terms.covers) {
    const auto k = static_cast<double>(cover.members.size());
    longest = std::max(longest, k), additions += k;
    sizes += cover.weight * (6 * k + 4);  // Q rise_i and Q rise_i rise_j are at most 1
    Concept piece{.first_logit = logits_, .most_logit = logits_ + cover.members.size()};
    logits_ = piece.most_logit + 1;
    double left = 1, at_high = 1;
    for (Index u = 0; u < cover.members.size() && left > kCovered; ++u) {
      const auto [item, p] = cover.members[u];
      const Eigen::Index at = place[item];
      const double low = at < 0 ? value[item] : box.low[item], out = missed_by(p, low);
      left *= out;
      if (at < 0 || left <= kCovered) continue;
      at_high *= missed_by(p, box.high[item]) / out;
      piece.members.push_back({at, p / out, low, piece.first_logit + u});
    }
    if (left <= kCovered) {
      constant.add(cover.weight);
      continue;
    }
    constant.add(cover.weight * (1 - left));
    if (piece.members.empty()) continue;
    piece.weight = cover.weight * left;
    piece.most = std::min(1.0, 1 - at_high);
    for (Index a = 0; a < piece.members.size(); ++a)
      for (Index b = 0; b < a; ++b) {
        entries.emplace_back(piece.members[a].item, piece.members[b].item, 0.0);
        entries.emplace_back(piece.members[b].item, piece.members[a].item, 0.0);
      }
    concepts_.push_back(std::move(piece));
  }
  fixed_.couplings.resize(free, free);
  fixed_.couplings.setFromTriplets(entries.begin(), entries.end());
  fixed_.constant = constant.value();
  fixed_.error =
      (moved + gamma_of(6 * longest + 32 + additions) * sizes) * (1 + gamma_of(2 * additions + 64));
  for (const Concept& piece : concepts_)
    for (Index a = 0; a < piece.members.size(); ++a)
      for (Index b = 0; b < a; ++b) {
        const Eigen::Index i = piece.members[a].item, j = piece.members[b].item;
        const double* const values = fixed_.couplings.valuePtr();
        pair_place_.push_back(&fixed_.couplings.coeffRef(i, j) - values);
        pair_place_.push_back(&fixed_.couplings.coeffRef(j, i) - values);
      }
  share_.assign(logits_, 0);
  move(std::vector<double>(logits_, 0));
}

void CoverQuadratic::move(std::span<const double> logit) {
  quadratic_ = fixed_;
  double* const coupling = quadratic_.couplings.valuePtr();
  CompensatedSum constant;
  constant.add(fixed_.constant);
  std::size_t pair = 0;
  for (const Concept& piece : concepts_) {
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
  quadratic_.constant = constant.value();
}

double CoverQuadratic::slope(const SpectralBarrier& at, double weight, double softness,
                             std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  const Eigen::VectorXd& z = at.z();
  double barrier = 0;
  std::vector<double> by_share;
  for (const Concept& piece : concepts_) {
    by_share.assign(piece.members.size(), 0);
    double all = 0;
    for (Index a = 0; a < piece.members.size(); ++a) {
      const Member& one = piece.members[a];
      all += one.rise * (z[one.item] - one.low);
      for (Index b = 0; b < a; ++b) {
        const Member& other = piece.members[b];
        const double both = one.rise * other.rise *
                            (at.moment(one.item, other.item, weight) - one.low * z[other.item] -
                             other.low * z[one.item] + one.low * other.low);
        by_share[a] -= both, by_share[b] -= both;
      }
    }
    double mean = 0;
    const auto visit = [&](Index logit, double slope) {
      const double share = std::max(share_[logit], 1e-300);
      out[logit] = piece.weight * slope - softness / share;
      barrier -= softness * std::log(share);
      mean += share * out[logit];
    };
    for (Index a = 0; a < piece.members.size(); ++a)
      visit(piece.members[a].logit, all + by_share[a]);
    visit(piece.most_logit, piece.most);
    for (const Member& member : piece.members)
      out[member.logit] = share_[member.logit] * (out[member.logit] - mean);
    out[piece.most_logit] = share_[piece.most_logit] * (out[piece.most_logit] - mean);
  }
  return barrier;
}

}  // namespace surefield
