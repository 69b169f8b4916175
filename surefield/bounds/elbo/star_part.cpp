#include "surefield/bounds/elbo/star_part.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/elbo/line_peak.hpp"
#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr std::size_t kPoints = 200;       // of the centre; beyond, precision is not promised
constexpr double kClosestOnCentre = 1e-9;  // least distance of two points
constexpr double kLeafRounding = 2e-15;    // a leaf, of all that is added up

/// psi at a point of the centre: value, and curvature where no leaf is at an end of its interval.
struct LeafSum {
  double t, value, curvature;
};

/// Between two neighbouring points: no value of the part is above `bound`, attained by the chord at
/// `at`.
struct Piece {
  LeafSum left, right;
  double bound, at;
};

struct StarProblem {
  std::span<const double> weight, theta, c, low, high;

  LeafSum leaves(double t) const {
    LeafSum sum{t, 0, 0};
    for (std::size_t k = 0; k < weight.size(); ++k) {
      const LinePeak leaf =
          line_peak(theta[k + 1] + weight[k] * t, c[k + 1], {low[k + 1], high[k + 1]});
      sum.value += leaf.value;
      if (leaf.at > low[k + 1] && leaf.at < high[k + 1])
        sum.curvature += weight[k] * weight[k] * leaf.at * (1 - leaf.at) / c[k + 1];
    }
    return sum;
  }

  double total(const LeafSum& at) const {
    return at.value + theta[0] * at.t + c[0] * entropy(at.t);
  }

  Piece piece(const LeafSum& left, const LeafSum& right) const {
    const double slope = (right.value - left.value) / (right.t - left.t);
    const LinePeak peak = line_peak(theta[0] + slope, c[0], {left.t, right.t});
    return {left, right, left.value - slope * left.t + peak.value, peak.at};
  }
};

}  // namespace

StarPart::StarPart(std::uint32_t centre, std::span<const std::uint32_t> leaves,
                   std::span<const double> weight)
    : members_{centre}, weight_(weight.begin(), weight.end()) {
  require(leaves.size() == weight.size(), "star part: ", leaves.size(), " leaves but ",
          weight.size(), " weights");
  members_.insert(members_.end(), leaves.begin(), leaves.end());
  for (std::size_t k = 0; k < weight.size(); ++k)
    require(std::isfinite(weight[k]), "star part: the edge ", centre, "-", leaves[k],
            " has weight ", weight[k], ", which must be finite");
}

double StarPart::value(std::span<const double> x) const {
  double sum = 0;
  for (std::size_t k = 0; k < weight_.size(); ++k) sum += weight_[k] * x[k + 1];
  return sum * x[0];
}

void StarPart::gradient(std::span<const double> x, std::span<double> out) const {
  out[0] = 0;
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    out[0] += weight_[k] * x[k + 1];
    out[k + 1] = weight_[k] * x[0];
  }
}

double StarPart::bound(std::span<const double> theta, std::span<const double> c,
                       std::span<const double> low, std::span<const double> high, double precision,
                       std::span<double> x) const {
  const std::size_t n = members_.size();
  SUREFIELD_ASSERT(theta.size() == n && c.size() == n && low.size() == n && high.size() == n);
  const StarProblem star{weight_, theta, c, low, high};
  double best = -kInfinity;
  const auto look = [&](double t) {
    const LeafSum sum = star.leaves(t);
    if (star.total(sum) > best) best = star.total(sum), last_ = t;
    return sum;
  };

  const LeafSum bottom = look(low[0]);
  double most = best;  // where the centre is fixed
  if (high[0] - low[0] > kClosestOnCentre) {
    const double first = std::clamp(last_, low[0], high[0]);
    std::vector<Piece> pieces;  // a heap by bound
    const auto lower = [](const Piece& a, const Piece& b) { return a.bound < b.bound; };
    const auto add = [&](const LeafSum& left, const LeafSum& right) {
      pieces.push_back(star.piece(left, right));
      std::push_heap(pieces.begin(), pieces.end(), lower);
    };
    const LeafSum top = look(high[0]);
    if (first - low[0] > kClosestOnCentre && high[0] - first > kClosestOnCentre) {
      const LeafSum middle = look(first);
      add(bottom, middle);
      add(middle, top);
    } else {
      add(bottom, top);
    }
    std::size_t points = 3;
    double settled = -kInfinity;  // the largest bound of a piece too short to cut
    while (!pieces.empty() && std::max(pieces.front().bound, settled) - best > precision &&
           settled < pieces.front().bound && points < kPoints) {
      std::pop_heap(pieces.begin(), pieces.end(), lower);
      const Piece piece = pieces.back();
      pieces.pop_back();
      const double a = piece.left.t, b = piece.right.t;
      if (b - a <= 3 * kClosestOnCentre) {
        settled = std::max(settled, piece.bound);
        continue;
      }
      // At the peak, and so near to it on either side that the chords there are off by half of
      // what they may be.
      const double at = std::clamp(piece.at, a + 0.05 * (b - a), b - 0.05 * (b - a));
      const LeafSum centre = look(at);
      ++points;
      const double h = std::max(2 * kClosestOnCentre,
                                std::sqrt(4 * precision / std::max(1e-300, centre.curvature)));
      LeafSum left = piece.left, right = piece.right;
      if (h < 0.4 * (at - a)) {
        const LeafSum near = look(at - h);
        add(left, near);
        left = near;
        ++points;
      }
      if (h < 0.4 * (b - at)) {
        const LeafSum near = look(at + h);
        add(near, right);
        right = near;
        ++points;
      }
      add(left, centre);
      add(centre, right);
    }
    most = std::max(best, settled);
    if (!pieces.empty()) most = std::max(most, pieces.front().bound);
  } else if (high[0] > low[0]) {  // psi is convex: its ends bound it
    const LeafSum top = look(high[0]);
    most = star.piece(bottom, top).bound;
  }

  x[0] = last_;
  double magnitude = std::abs(theta[0]) + c[0];
  for (std::size_t k = 1; k < n; ++k) {
    x[k] = line_peak(theta[k] + weight_[k - 1] * x[0], c[k], {low[k], high[k]}).at;
    magnitude += std::abs(theta[k]) + std::abs(weight_[k - 1]) + c[k];
  }
  return most + kLeafRounding * static_cast<double>(n + 16) * magnitude;
}

}  // namespace surefield
