#include "surefield/bounds/log_z/hoelder/hoelder.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "surefield/bounds/log_z/hoelder/edge_cover.hpp"
#include "surefield/bounds/log_z/hoelder/pairwise_piece.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kUnit = 0x1p-52;

/// What rounding can do to the sums of all parts: a part rounds some 16 times an item and multiplier.
double margin(Index items, double magnitude) {
  return gamma_of(64 + 32 * static_cast<double>(items)) * magnitude;
}

/// Pieces on disjoint items, or one pairwise piece on all items. Features are what a multiplier
/// belongs to: first the items, then the edges.
struct Part {
  std::vector<const HoelderPiece*> pieces;
  std::vector<std::uint32_t> alone;  // items in no piece
  std::unique_ptr<PairwisePiece> field;
  std::vector<std::uint32_t> edges;
};

/// Every piece goes to the first part where its items are still alone, the largest pieces first.
std::vector<Part> parts_of(const HoelderSplit& split, Index width, const Budget& budget) {
  std::vector<Part> parts;
  const Index n = split.size();
  std::vector<const HoelderPiece*> pieces;
  for (const auto& piece : split.pieces) pieces.push_back(&piece);
  const auto items_of = [](const HoelderPiece* piece) -> const std::vector<std::uint32_t>& {
    return std::visit(
        [](const auto& one) -> const auto& { return one.items; }, *piece);
  };
  std::ranges::stable_sort(pieces, [&](const HoelderPiece* a, const HoelderPiece* b) {
    return items_of(a).size() > items_of(b).size();
  });
  std::vector<std::vector<std::uint8_t>> taken;
  for (const HoelderPiece* piece : pieces) {
    std::size_t j = 0;
    const auto meets = [&](std::size_t at) {
      return std::ranges::any_of(items_of(piece), [&](auto i) { return taken[at][i] != 0; });
    };
    while (j < parts.size() && meets(j)) ++j;
    if (j == parts.size()) {
      parts.emplace_back();
      taken.emplace_back(n, 0);
    }
    parts[j].pieces.push_back(piece);
    for (const auto i : items_of(piece)) taken[j][i] = 1;
  }
  for (std::size_t j = 0; j < parts.size(); ++j)
    for (std::uint32_t i = 0; i < n; ++i)
      if (!taken[j][i]) parts[j].alone.push_back(i);
  for (auto& subgraph : edge_cover(n, split.edges, width, budget)) {
    std::vector<Edge> edges;
    for (const auto e : subgraph.edges) edges.push_back(split.edges[e]);
    Part part;
    part.field = std::make_unique<PairwisePiece>(n, edges, subgraph.order);
    part.edges = std::move(subgraph.edges);
    parts.push_back(std::move(part));
  }
  return parts;
}

/// log sum_S exp(theta(S) + sum of the pieces / p), theta = theta_j / p_j over the part's features.
PieceSum sum_of(const Part& part, std::span<const double> theta, double scale,
                std::span<double> marginal) {
  if (part.field) return part.field->sum(theta, marginal);
  PieceSum total;
  CompensatedSum log_sum;
  std::vector<double> own, found;
  for (const HoelderPiece* piece : part.pieces)
    std::visit(
        [&](const auto& one) {
          own.resize(one.items.size());
          found.resize(one.items.size());
          for (std::size_t k = 0; k < own.size(); ++k) own[k] = theta[one.items[k]];
          const PieceSum sum = one.sum(own, scale, found);
          for (std::size_t k = 0; k < own.size(); ++k) marginal[one.items[k]] = found[k];
          log_sum.add(sum.log_sum);
          total.expected += sum.expected;
        },
        *piece);
  for (const auto i : part.alone) {
    log_sum.add(softplus(theta[i]));
    marginal[i] = sigmoid(theta[i]);
  }
  total.log_sum = log_sum.value();
  return total;
}

/// The bound as a function of unconstrained variables: per part one per feature, v_jf, and one for
/// its weight, p = softmax. With W_f what feature f adds up to and rho_f the weight of its parts,
///   theta_jf / p_j = (W_f - sum_k p_k v_kf) / rho_f + v_jf
/// adds up to W_f whatever v and p are.
class Bound {
 public:
  Bound(const HoelderSplit& split, std::vector<Part> parts)
      : split_(split), parts_(std::move(parts)) {
    for (const Part& part : parts_) {
      start_.push_back(variables_);
      variables_ += split.size() + part.edges.size();
    }
    start_.push_back(variables_);
    variables_ += parts_.size();
    const Index features = split.size() + split.edges.size();
    wanted_ = split.modular;
    for (const Edge& edge : split.edges) wanted_.push_back(edge.weight);
    theta_.resize(start_.back());
    marginal_.resize(start_.back());
    rho_.resize(features);
    base_.resize(features);
    mean_.resize(features);
    weight_.resize(parts_.size());
    sums_.resize(parts_.size());
  }

  Index variables() const { return variables_; }
  const std::vector<double>& weights() const { return weight_; }
  std::span<const double> mean_marginals() const { return {mean_.data(), split_.size()}; }

  double operator()(std::span<const double> z, std::span<double> gradient) {
    prepare(z);
    double value = 0;
    std::vector<double> slope(parts_.size());  // in the weights
    std::fill(mean_.begin(), mean_.end(), 0.0);
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      sum_part(j);
      value += weight_[j] * sums_[j].log_sum;
      for_each_feature(j, [&](Index k, Index f) {
        mean_[f] += weight_[j] / rho_[f] * marginal_[start_[j] + k];
      });
    }
    double mean_slope = 0;
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      slope[j] = sums_[j].log_sum - sums_[j].expected / weight_[j];
      for_each_feature(j, [&](Index k, Index f) {
        const Index at = start_[j] + k;
        gradient[at] = weight_[j] * (marginal_[at] - mean_[f]);
        slope[j] -= theta_[at] * mean_[f];
      });
      mean_slope += weight_[j] * slope[j];
    }
    for (std::size_t j = 0; j < parts_.size(); ++j)
      gradient[start_.back() + j] = weight_[j] * (slope[j] - mean_slope);
    return value;
  }

  /// The bound at z, rounded the safe way. p_j log Z(F_j / p_j) grows with p_j, so weights that add
  /// up to a little more than 1 are safe; what the multipliers lack of W_f is added where positive.
  double certified(std::span<const double> z) {
    prepare(z);
    const double up = 1 + kUnit * static_cast<double>(parts_.size() + 4);
    for (double& weight : weight_) weight *= up;
    std::vector<long double> lack(wanted_.begin(), wanted_.end());
    double magnitude = split_.magnitude;
    CompensatedSum bound;
    bound.add(split_.constant);
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      sum_part(j);
      bound.add(weight_[j] * sums_[j].log_sum);
      double size = std::abs(sums_[j].log_sum) + static_cast<double>(split_.size());
      for_each_feature(j, [&](Index k, Index f) {
        const double theta = theta_[start_[j] + k];
        lack[f] -= static_cast<long double>(weight_[j]) * theta;
        size += std::abs(theta);
      });
      magnitude += weight_[j] * size;
    }
    for (const long double missing : lack) bound.add(std::max(static_cast<double>(missing), 0.0));
    return bound.value() + split_.error + margin(split_.size(), magnitude);
  }

 private:
  template <class Visit>  // visit(place in the part, feature)
  void for_each_feature(std::size_t j, Visit&& visit) const {
    const Index n = split_.size();
    for (Index i = 0; i < n; ++i) visit(i, i);
    for (Index k = 0; k < parts_[j].edges.size(); ++k) visit(n + k, n + parts_[j].edges[k]);
  }

  void prepare(std::span<const double> z) {
    const auto shares = z.subspan(start_.back());
    const double total = log_sum_exp(shares);
    for (std::size_t j = 0; j < parts_.size(); ++j) weight_[j] = std::exp(shares[j] - total);
    std::fill(rho_.begin(), rho_.end(), 0.0);
    base_ = wanted_;
    for (std::size_t j = 0; j < parts_.size(); ++j)
      for_each_feature(j, [&](Index k, Index f) {
        rho_[f] += weight_[j];
        base_[f] -= weight_[j] * z[start_[j] + k];
      });
    for (Index f = 0; f < base_.size(); ++f) base_[f] /= rho_[f];
    for (std::size_t j = 0; j < parts_.size(); ++j)
      for_each_feature(
          j, [&](Index k, Index f) { theta_[start_[j] + k] = base_[f] + z[start_[j] + k]; });
  }

  void sum_part(std::size_t j) {
    const std::span<const double> theta(theta_);
    const Index count = split_.size() + parts_[j].edges.size();
    sums_[j] = sum_of(parts_[j], theta.subspan(start_[j], count), 1 / weight_[j],
                      std::span(marginal_).subspan(start_[j], count));
  }

  const HoelderSplit& split_;
  std::vector<Part> parts_;
  std::vector<Index> start_;  // of each part's variables, and of the weights' at the end
  Index variables_ = 0;
  std::vector<double> wanted_, theta_, marginal_, rho_, base_, mean_, weight_;
  std::vector<PieceSum> sums_;
};

/// No pieces at all: sum_i softplus(modular_i).
HoelderBound modular_bound(const HoelderSplit& split) {
  HoelderBound result;
  CompensatedSum sum;
  sum.add(split.constant);
  for (const double theta : split.modular) {
    sum.add(softplus(theta));
    result.marginals.push_back(sigmoid(theta));
  }
  const auto n = static_cast<double>(split.size());
  result.log_z_upper = sum.value() + split.error + margin(split.size(), split.magnitude + n);
  result.exact = true;
  return result;
}

}  // namespace

HoelderBound hoelder_bound_of(const HoelderSplit& split, const HoelderOptions& options) {
  require(options.width >= 2 && options.width <= 20, "hoelder: the width is ", options.width,
          ", which must be from 2 to 20");
  const double one = operations_of(split, options.width);
  options.budget.require({.operations = 3 * one}, "hoelder");
  std::vector<Part> parts = parts_of(split, options.width, options.budget);
  if (parts.empty()) return modular_bound(split);
  const bool single = parts.size() == 1;
  const bool merged = std::ranges::any_of(split.pieces, [](const HoelderPiece& piece) {
    const auto* automaton = std::get_if<AutomatonPiece>(&piece);
    return automaton != nullptr && automaton->merged;
  });
  Bound bound(split, std::move(parts));
  // First with equal weights: a part whose weight is driven to 0 before its multipliers are any
  // good would not come back.
  bool weights_move = false;
  const SmoothFunction function = [&](std::span<const double> z, std::span<double> gradient) {
    const double value = bound(z, gradient);
    if (!weights_move) std::ranges::fill(gradient.last(bound.weights().size()), 0.0);
    return value;
  };
  // Half of the operations allowed for each of the two searches.
  const double affordable = std::min(options.budget.operations() / (2 * one), 1e6);
  const std::size_t iterations =
      std::min(options.iterations, static_cast<std::size_t>(std::max(affordable, 1.0)));
  const LbfgsOptions search{.iterations = single ? 0 : iterations,
                            .memory = 20,
                            .gradient = 1e-10,
                            .progress = options.progress,
                            .budget = options.budget};
  LbfgsReport found = minimise(std::vector<double>(bound.variables(), 0.0), function, search);
  if (!single) {
    weights_move = true;
    const std::size_t before = found.evaluations;
    found = minimise(std::move(found.point), function, search);
    found.evaluations += before;
  }
  HoelderBound result;
  std::vector<double> gradient(bound.variables());
  bound(found.point, gradient);  // for the marginals there
  result.marginals.assign(bound.mean_marginals().begin(), bound.mean_marginals().end());
  result.log_z_upper = bound.certified(found.point);
  result.weights = bound.weights();
  result.exact = single && !merged;
  result.evaluations = found.evaluations + 2;
  result.status = single ? Status::kConverged : found.status;
  return result;
}

HoelderBound hoelder_bound(const AnyModel& model, const Box* box, const HoelderOptions& options) {
  const HoelderSplit split = split_for_hoelder(model, box, options.beta, options.budget);
  HoelderBound bound = hoelder_bound_of(split, options);
  if (box == nullptr) return bound;
  std::vector<double> marginals = box->low;  // the fixed ones
  for (Index k = 0; k < split.free.size(); ++k) marginals[split.free[k]] = bound.marginals[k];
  bound.marginals = std::move(marginals);
  return bound;
}

}  // namespace surefield
