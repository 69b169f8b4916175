#include "surefield/bounds/elbo/share_centre.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {
namespace {

constexpr double kLeastWeight = 1e-2;  // keeps every share above 0
constexpr double kPullGrowth = 4;
constexpr double kClosest = 1e4;  // tau is known to one part in so many, then enough is
constexpr int kSteps = 8;         // of Newton, for each pull
constexpr double kNear = 0.03;    // decrement at which the centre is near enough
constexpr double kRoom = 1.1;     // in a new cut, to begin with

}  // namespace

ShareCentre::ShareCentre(Index n, std::vector<Part> parts)
    : parts_(std::move(parts)),
      cuts_(parts_.size()),
      share_(parts_.size()),
      holders_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n))) {
  Eigen::VectorXd sum = holders_;
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    const auto& [members, curvature] = parts_[r];
    // Diagonally dominant, with room.
    const double all = curvature.rows() == 0 ? 0 : curvature.cwiseAbs().rowwise().sum().maxCoeff();
    share_[r] = Eigen::VectorXd::Constant(curvature.rows(), kRoom * all + 1e-2);
    order_ += (1 + kLeastWeight) * static_cast<double>(members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      holders_[members[k]] += 1;
      sum[members[k]] += share_[r][static_cast<Eigen::Index>(k)];
    }
  }
  if (n == 0) return;
  total_ = sum.maxCoeff();
  for (std::size_t r = 0; r < parts_.size(); ++r)
    for (std::size_t k = 0; k < parts_[r].members.size(); ++k) {
      const auto i = parts_[r].members[k];
      share_[r][static_cast<Eigen::Index>(k)] += (total_ - sum[i]) / holders_[i];
    }
}

void ShareCentre::cut(std::size_t r, Eigen::VectorXd cost, double excess) {
  cuts_[r].push_back({cost / excess, 1});
  order_ += 1;
}

/// All shares longer, so that they meet the new cuts too.
void ShareCentre::make_room() {
  double longer = 1;
  for (std::size_t r = 0; r < parts_.size(); ++r)
    for (const Cut& cut : cuts_[r]) {
      const double met = cut.cost.dot(share_[r]);
      if (met <= cut.excess * (1 + 1e-9)) longer = std::max(longer, kRoom * cut.excess / met);
    }
  if (longer == 1) return;
  for (Eigen::VectorXd& share : share_) share *= longer;
  total_ *= longer;
}

/// Adds what is left up to a larger total, to all parts alike.
void ShareCentre::raise(double total) {
  for (std::size_t r = 0; r < parts_.size(); ++r)
    for (std::size_t k = 0; k < parts_[r].members.size(); ++k)
      share_[r][static_cast<Eigen::Index>(k)] += (total - total_) / holders_[parts_[r].members[k]];
  total_ = total;
}

bool ShareCentre::move(const Budget& budget) {
  make_room();
  if (!std::isfinite(total_)) return false;
  // The last pull that was enough has the right size again, once there are some more cuts.
  for (double pull = std::max(pull_, order_ / std::max(total_, 1.0)); total_ > 1;
       pull *= kPullGrowth) {
    pull_ = pull;
    if (pull > kClosest * order_ || !newton(pull, false, budget)) return false;
    if (decrement_ < 1 && total_ - 2 * order_ / pull > 1) return false;  // so it stays
  }
  raise(1);
  return newton(0, true, budget);
}

/// Towards the least of pull tau + barrier; with tau as it is if `fixed`. False where rounding or the budget ends it.
bool ShareCentre::newton(double pull, bool fixed, const Budget& budget) {
  double here = barrier(share_) + pull * total_;
  for (int k = 0; k < kSteps; ++k) {
    if (budget.spent()) return false;
    const Step step = direction(pull, fixed, budget.threads());
    decrement_ = step.decrement;
    if (!std::isfinite(step.decrement)) return false;
    if (step.decrement < kNear) return true;
    double length = 1;
    for (; length > 1e-6; length /= 2) {
      std::vector<Eigen::VectorXd> to = share_;
      for (std::size_t r = 0; r < to.size(); ++r) to[r] += length * step.share[r];
      const double total = total_ + length * step.total;
      const double there = barrier(to) + pull * total;
      if (!(there <= here - 0.1 * length * step.decrement)) continue;
      share_ = std::move(to);
      total_ = total, here = there;
      break;
    }
    if (length <= 1e-6) return true;  // as near as rounding lets it
    if (!fixed && total_ < 1) return true;
  }
  return true;
}

/// Infinite outside.
double ShareCentre::barrier(const std::vector<Eigen::VectorXd>& share) const {
  double sum = 0;
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    if (share[r].size() == 0) continue;
    if (!(share[r].minCoeff() > 0)) return kInfinity;
    const Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd(share[r].asDiagonal()) -
                                             parts_[r].curvature);
    if (factor.info() != Eigen::Success) return kInfinity;
    sum -= 2 * factor.matrixLLT().diagonal().array().log().sum();
    sum -= kLeastWeight * share[r].array().log().sum();
    for (const Cut& cut : cuts_[r]) {
      const double room = cut.cost.dot(share[r]) - cut.excess;
      if (!(room > 0)) return kInfinity;
      sum -= std::log(room);
    }
  }
  return std::isnan(sum) ? kInfinity : sum;
}

/// Newton's step of pull tau + barrier where sum_r c_ri = tau: with H_r and b_r the second and first derivatives of part r and a multiplier an
/// item, dc_r = -H_r^-1 (b_r + multipliers), so that the multipliers solve a system of n equations.
ShareCentre::Step ShareCentre::direction(double pull, bool fixed, unsigned threads) const {
  const Eigen::Index n = holders_.size();
  std::vector<Eigen::VectorXd> slope(parts_.size());
  std::vector<Eigen::MatrixXd> inverse(parts_.size());
  for_each_index(parts_.size(), threads, [&](std::size_t r) {
    const Eigen::VectorXd& share = share_[r];
    const Eigen::Index k = share.size();
    const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(k, k);
    const Eigen::MatrixXd middle =
        (Eigen::MatrixXd(share.asDiagonal()) - parts_[r].curvature).llt().solve(unit);
    slope[r] = -middle.diagonal() - kLeastWeight * share.cwiseInverse();
    Eigen::MatrixXd second = middle.cwiseAbs2();
    second.diagonal() += kLeastWeight * share.cwiseInverse().cwiseAbs2();
    for (const Cut& cut : cuts_[r]) {
      const double room = cut.cost.dot(share) - cut.excess;
      slope[r] -= cut.cost / room;
      second.noalias() += (cut.cost / (room * room)) * cut.cost.transpose();
    }
    inverse[r] = second.llt().solve(unit);
  });
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(n), held = Eigen::VectorXd::Ones(n);
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    const auto& members = parts_[r].members;
    const Eigen::VectorXd alone = inverse[r] * slope[r];
    for (std::size_t a = 0; a < members.size(); ++a) {
      const auto u = static_cast<Eigen::Index>(a);
      moved[members[a]] += alone[u];
      for (std::size_t b = 0; b < members.size(); ++b)
        system(members[b], members[a]) += inverse[r](static_cast<Eigen::Index>(b), u);
    }
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (holders_[i] == 0) system(i, i) = 1, held[i] = 0;
  const Eigen::LLT<Eigen::MatrixXd> factor(system);
  const Eigen::VectorXd at_rest = -factor.solve(moved), by_total = -factor.solve(held);
  Step step{.share = std::vector<Eigen::VectorXd>(parts_.size())};
  if (!fixed) step.total = (pull - held.dot(at_rest)) / held.dot(by_total);
  const Eigen::VectorXd multiplier = at_rest + step.total * by_total;
  step.decrement = -pull * step.total;
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    Eigen::VectorXd both = slope[r];
    for (std::size_t a = 0; a < parts_[r].members.size(); ++a)
      both[static_cast<Eigen::Index>(a)] += multiplier[parts_[r].members[a]];
    step.share[r] = -(inverse[r] * both);
    step.decrement -= slope[r].dot(step.share[r]);
  }
  return step;
}

std::vector<std::vector<double>> ShareCentre::shares() const {
  std::vector<std::vector<double>> scaled;
  for (const Eigen::VectorXd& share : share_) {
    scaled.emplace_back(share.begin(), share.end());
    for (double& c : scaled.back()) c = std::max(0.0, c / total_);
  }
  return scaled;
}

}  // namespace surefield
