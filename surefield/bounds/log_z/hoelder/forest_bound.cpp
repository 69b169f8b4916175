#include "surefield/bounds/log_z/hoelder/forest_bound.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/bounds/free_field.hpp"
#include "surefield/bounds/log_z/hoelder/edge_forests.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr std::size_t kMostForests = 64;
constexpr double kParts = 1 << 20;       // weights are whole multiples of 1 / kParts
constexpr double kLongestMove = 4;       // of a multiplier in a round
constexpr Index kItemsAPiece = 1 << 14;  // of work on several threads
constexpr double kLocalRoundings = 64;   // of a factor, a message and what they are made of

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
///
/// With e = exp(field) a message is log((1 + e exp(weight)) / (1 + e)), and the softplus of many fields is the log of the
/// product of their 1 + e: an exponential and a logarithm a node. Where they might overflow, one by one.
class ForestSum {
 public:
  ForestSum(Forest forest, double p) : forest_(std::move(forest)), p_(p) {
    for (double& w : forest_.weight) w /= p;
    growth_.reserve(forest_.weight.size());
    for (const double w : forest_.weight) growth_.push_back(std::exp(w));
    move_.assign(forest_.order.size(), 0.0);
  }

  double weight() const { return p_; }
  std::vector<double>& move() { return move_; }  // theta, by item
  const std::vector<double>& move() const { return move_; }

  /// The pass up: log Z.
  double log_z(const std::vector<double>& bias) {
    const Index n = forest_.order.size();
    put(bias);
    CompensatedSum sum;
    double product = 1;
    for (Index k = n; k-- > 0;) {
      const double field = field_[k];
      const auto parent = forest_.parent[k];
      if (is_moderate(k)) {
        const double e = std::exp(field);
        if (parent != Forest::kRoot) field_[parent] += std::log((1 + e * growth_[k]) / (1 + e));
        product *= 1 + e;
        if (product < kLargeProduct) continue;
        sum.add(std::log(product));
        product = 1;
      } else {
        const double out = softplus(field);
        sum.add(out);
        if (parent != Forest::kRoot) field_[parent] += softplus(field + forest_.weight[k]) - out;
      }
    }
    sum.add(std::log(product));
    return sum.value();
  }

  /// The pass down, after log_z: P(i in S) by item.
  void marginals(std::vector<double>& by_item) const {
    by_item.resize(forest_.order.size());
    std::vector<double> here(forest_.order.size());
    for (Index k = 0; k < here.size(); ++k) {
      const auto parent = forest_.parent[k];
      const double e = is_moderate(k) ? std::exp(field_[k]) : -1;
      here[k] = e >= 0 ? e / (1 + e) : sigmoid(field_[k]);
      if (parent != Forest::kRoot) {
        const double with =
            e >= 0 ? e * growth_[k] / (1 + e * growth_[k]) : sigmoid(field_[k] + forest_.weight[k]);
        here[k] = here[parent] * with + (1 - here[parent]) * here[k];
      }
      by_item[forest_.order[k]] = here[k];
    }
  }

  /// What rounding can have done to log_z() = value. At every node: the roundings of its field, as many as it has children, of
  /// its factor and of its message. All are of numbers of at most |field| + |couplings| + 1.
  double margin(const std::vector<double>& bias, double value) {
    const Index n = forest_.order.size();
    put(bias);
    std::vector<double> size(n), count(n, kLocalRoundings);
    for (Index k = 0; k < n; ++k) size[k] = std::abs(field_[k]) + std::abs(forest_.weight[k]) + 1;
    double sum = 0;
    for (Index k = n; k-- > 0;) {
      sum += gamma_of(count[k]) * size[k];
      if (forest_.parent[k] == Forest::kRoot) continue;
      size[forest_.parent[k]] += std::abs(forest_.weight[k]);
      count[forest_.parent[k]] += 1;
    }
    return 2 * sum + gamma_of(8) * std::abs(value);
  }

 private:
  void put(const std::vector<double>& bias) {
    field_.resize(forest_.order.size());
    for (Index k = 0; k < field_.size(); ++k) {
      const auto i = forest_.order[k];
      field_[k] = bias[i] + move_[i];
    }
  }

  /// Whether no exponential of the node's field and coupling, nor a product with another, leaves the range of a double.
  bool is_moderate(Index k) const {
    return std::abs(field_[k]) < kModerate && std::abs(forest_.weight[k]) < kModerate;
  }
  static constexpr double kModerate = 300, kLargeProduct = 1e150;  // e^300 < 1e131

  Forest forest_;
  double p_;
  std::vector<double> growth_;  // exp(weight)
  std::vector<double> move_, field_;
};

/// The value of the bound, and log Z of every forest.
double value_of(std::vector<ForestSum>& sums, const std::vector<double>& bias, unsigned threads,
                std::vector<double>& each) {
  each.resize(sums.size());
  for_each_index(sums.size(), threads, [&](std::size_t t) { each[t] = sums[t].log_z(bias); });
  double value = 0;
  for (std::size_t t = 0; t < sums.size(); ++t) value += sums[t].weight() * each[t];
  return value;
}

/// theta_t of some items towards equal marginals, by `step` of the way in logits, with mean 0 over the forests.
void move_items(std::vector<ForestSum>& sums, const std::vector<std::vector<double>>& found,
                double step, Index from, Index to) {
  const auto inner = [](double u) { return std::clamp(u, 1e-12, 1 - 1e-12); };
  for (Index i = from; i < to; ++i) {
    double mean = 0;
    for (std::size_t t = 0; t < sums.size(); ++t) mean += sums[t].weight() * found[t][i];
    const double odds = inner(mean) / (1 - inner(mean));
    double middle = 0;
    for (std::size_t t = 0; t < sums.size(); ++t) {
      const double u = inner(found[t][i]);
      sums[t].move()[i] +=
          step * std::clamp(std::log(odds * (1 - u) / u), -kLongestMove, kLongestMove);
      middle += sums[t].weight() * sums[t].move()[i];
    }
    for (ForestSum& sum : sums) sum.move()[i] -= middle;
  }
}

/// Towards equal marginals, half the way in logits; back and shorter where the bound rose. Leaves log Z of every forest in `each`.
void search(std::vector<ForestSum>& sums, const std::vector<double>& bias,
            const ForestOptions& options, std::vector<double>& each) {
  const Index n = bias.size();
  const unsigned threads = options.budget.threads();
  double best = value_of(sums, bias, threads, each), step = 0.5;
  std::vector<std::vector<double>> kept(sums.size()), found(sums.size());
  for (std::size_t round = 0; round < options.rounds && !options.budget.spent(); ++round) {
    for_each_index(sums.size(), threads, [&](std::size_t t) {
      kept[t] = sums[t].move();
      sums[t].marginals(found[t]);
    });
    for_each_index((n + kItemsAPiece - 1) / kItemsAPiece, threads, [&](std::size_t piece) {
      move_items(sums, found, step, piece * kItemsAPiece, std::min(n, (piece + 1) * kItemsAPiece));
    });
    const std::vector<double> before = each;
    const double now = value_of(sums, bias, threads, each);
    if (now < best) {
      best = now;
      continue;
    }
    for (std::size_t t = 0; t < sums.size(); ++t) sums[t].move() = kept[t];
    step /= 2;
    if (round + 1 < options.rounds)
      value_of(sums, bias, threads, each);  // the passes up, for the marginals
    else
      each = before;
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
  std::vector<double> each;  // log Z of every forest
  if (sums.size() > 1)
    search(sums, field.bias, options, each);
  else
    value_of(sums, field.bias, 1, each);

  CompensatedSum bound;
  bound.add(field.constant);
  double margin =
      field.error + gamma_of(8) * field.magnitude;  // p (w / p) and w differ by roundings
  for (std::size_t t = 0; t < sums.size(); ++t) {
    bound.add(sums[t].weight() * each[t]);
    margin += sums[t].weight() * sums[t].margin(field.bias, each[t]);
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
