#include "surefield/bounds/log_z/hoelder/forest_bound.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/bounds/free_field.hpp"
#include "surefield/bounds/log_z/hoelder/edge_forests.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr std::size_t kMostForests = 64;
constexpr double kParts = 1 << 20;      // weights are whole multiples of 1 / kParts
constexpr double kLongestMove = 4;      // of a multiplier in a round
constexpr double kLocalRoundings = 64;  // of a softplus, a message and what they are made of

/// The field at the inverse temperature, on the free items alone.
FreeField heated(const PairwiseField& model, const Box* box, double beta) {
  FreeField field = free_field(model, box ? *box : unit_box(model.size()));
  field.constant *= beta;
  for (double& b : field.bias) b *= beta;
  for (Edge& edge : field.edges) edge.weight *= beta;
  field.error =
      std::abs(beta) * (field.error + gamma_of(16) * field.magnitude + model.inherited_error);
  field.magnitude *= std::abs(beta);
  return field;
}

/// Whole multiples of 1 / kParts that add up to 1, by the couplings of each forest.
std::vector<double> weights_of(const std::vector<Forest>& forests) {
  std::vector<double> parts;
  double total = 0;
  for (const Forest& forest : forests) {
    double size = 0;
    for (const double w : forest.weight) size += std::abs(w);
    parts.push_back(size);
    total += size;
  }
  double rest = kParts;
  for (double& part : parts) {
    const double share =
        total > 0 && std::isfinite(total) ? part / total : 1 / static_cast<double>(parts.size());
    part = std::max(1.0, std::floor(share * (kParts - static_cast<double>(parts.size()))));
    rest -= part;
  }
  parts.front() += rest;
  for (double& part : parts) part /= kParts;
  return parts;
}

/// log Z of one forest with fields of its own, and the marginals.
class ForestSum {
 public:
  ForestSum(Forest forest, double p) : forest_(std::move(forest)), p_(p) {
    for (double& w : forest_.weight) w /= p;
    move_.assign(forest_.order.size(), 0.0);
  }

  double weight() const { return p_; }
  std::vector<double>& move() { return move_; }  // theta, by item
  const std::vector<double>& move() const { return move_; }

  /// The pass up. log Z; with `margin` also what rounding can have done to it.
  double log_z(const std::vector<double>& bias, double* margin = nullptr) {
    const Index n = forest_.order.size();
    field_.resize(n);
    for (Index k = 0; k < n; ++k) {
      const auto i = forest_.order[k];
      field_[k] = bias[i] + move_[i];
    }
    if (margin) *margin = local_roundings();
    CompensatedSum sum;
    for (Index k = n; k-- > 0;) {
      const double out = softplus(field_[k]);
      sum.add(out);
      if (forest_.parent[k] != Forest::kRoot)
        field_[forest_.parent[k]] += softplus(field_[k] + forest_.weight[k]) - out;
    }
    if (margin) *margin += gamma_of(8) * std::abs(sum.value());
    return sum.value();
  }

  /// The pass down, after log_z: P(i in S) by item.
  void marginals(std::vector<double>& by_item) const {
    by_item.resize(forest_.order.size());
    std::vector<double> here(forest_.order.size());
    for (Index k = 0; k < here.size(); ++k) {
      const auto parent = forest_.parent[k];
      here[k] = sigmoid(field_[k]);
      if (parent != Forest::kRoot)
        here[k] =
            here[parent] * sigmoid(field_[k] + forest_.weight[k]) + (1 - here[parent]) * here[k];
      by_item[forest_.order[k]] = here[k];
    }
  }

 private:
  /// At every node: the roundings of its field, as many as it has children, of its softplus and of
  /// its message. All are of numbers of at most |field| + |couplings| + 1.
  double local_roundings() const {
    const Index n = forest_.order.size();
    std::vector<double> size(n), count(n, kLocalRoundings);
    for (Index k = 0; k < n; ++k) size[k] = std::abs(field_[k]) + std::abs(forest_.weight[k]) + 1;
    double sum = 0;
    for (Index k = n; k-- > 0;) {
      sum += gamma_of(count[k]) * size[k];
      if (forest_.parent[k] == Forest::kRoot) continue;
      size[forest_.parent[k]] += std::abs(forest_.weight[k]);
      count[forest_.parent[k]] += 1;
    }
    return 2 * sum;
  }

  Forest forest_;
  double p_;
  std::vector<double> move_, field_;
};

/// theta_t -= sum_s p_s theta_s.
void centre(std::vector<ForestSum>& sums, Index n) {
  for (Index i = 0; i < n; ++i) {
    double mean = 0;
    for (const ForestSum& sum : sums) mean += sum.weight() * sum.move()[i];
    for (ForestSum& sum : sums) sum.move()[i] -= mean;
  }
}

double value_of(std::vector<ForestSum>& sums, const std::vector<double>& bias) {
  double value = 0;
  for (ForestSum& sum : sums) value += sum.weight() * sum.log_z(bias);
  return value;
}

/// Towards equal marginals, half the way in logits; back and shorter where the bound rose.
void search(std::vector<ForestSum>& sums, const std::vector<double>& bias,
            const ForestOptions& options) {
  const Index n = bias.size();
  double best = value_of(sums, bias), step = 0.5;
  std::vector<std::vector<double>> kept(sums.size()), found(sums.size());
  for (std::size_t round = 0; round < options.rounds && !options.budget.spent(); ++round) {
    for (std::size_t t = 0; t < sums.size(); ++t) {
      kept[t] = sums[t].move();
      sums[t].marginals(found[t]);
    }
    for (Index i = 0; i < n; ++i) {
      const auto safe_logit = [](double u) { return logit(std::clamp(u, 1e-12, 1 - 1e-12)); };
      double mean = 0;
      for (std::size_t t = 0; t < sums.size(); ++t) mean += sums[t].weight() * found[t][i];
      for (std::size_t t = 0; t < sums.size(); ++t)
        sums[t].move()[i] += step * std::clamp(safe_logit(mean) - safe_logit(found[t][i]),
                                               -kLongestMove, kLongestMove);
    }
    centre(sums, n);
    const double now = value_of(sums, bias);
    if (now < best) {
      best = now;
      continue;
    }
    for (std::size_t t = 0; t < sums.size(); ++t) sums[t].move() = kept[t];
    value_of(sums, bias);  // the passes up, for the marginals
    step /= 2;
  }
}

}  // namespace

ForestBound forest_bound(const PairwiseField& model, const Box* box, const ForestOptions& options) {
  require(std::isfinite(options.beta), "forests: the inverse temperature is ", options.beta,
          ", which must be finite");
  require(box == nullptr || (box->size() == model.size() && is_of_sets(*box)),
          "forests: every item must be in, out or free");
  const auto ends = static_cast<double>(model.neighbour.size());
  const auto items = static_cast<double>(model.size());
  options.budget.require({.operations = 100 * (ends + items), .bytes = 24 * ends + 40 * items},
                         "forests");
  FreeField field = heated(model, box, options.beta);
  if (!std::isfinite(field.magnitude)) return {kInfinity, 0};
  const Index n = field.bias.size();
  auto forests = edge_forests(n, field.edges, kMostForests);
  const auto count = static_cast<double>(forests.size());
  options.budget.require({.bytes = 72 * count * items}, "forests");
  field.edges = std::vector<Edge>();  // `{}` would keep its memory
  const auto weights = weights_of(forests);
  std::vector<ForestSum> sums;
  for (std::size_t t = 0; t < forests.size(); ++t)
    sums.emplace_back(std::move(forests[t]), weights[t]);
  if (sums.size() > 1) search(sums, field.bias, options);

  CompensatedSum bound;
  bound.add(field.constant);
  double margin =
      field.error + gamma_of(8) * field.magnitude;  // p (w / p) and w differ by roundings
  for (ForestSum& sum : sums) {
    double rounding = 0;
    bound.add(sum.weight() * sum.log_z(field.bias, &rounding));
    margin += sum.weight() * rounding;
  }
  for (Index i = 0; i < n; ++i) {  // what the fields lack of the bias, if x_i = 1 gains by it
    long double lack = field.bias[i];
    double size = std::abs(field.bias[i]);
    for (const ForestSum& sum : sums) {
      const double own = field.bias[i] + sum.move()[i];
      lack -= static_cast<long double>(sum.weight()) * own;
      size += sum.weight() * std::abs(own);
    }
    bound.add(std::max(static_cast<double>(lack), 0.0));
    margin += gamma_of(count + 4) * size;
  }
  const double upper = bound.value() + gamma_of(8) * std::abs(bound.value()) + margin;
  return {std::isnan(upper) ? kInfinity : upper, sums.size()};
}

}  // namespace surefield
