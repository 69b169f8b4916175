#include "surefield/bounds/elbo/corner_cut.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/bounds/elbo/max_flow.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kCutMargin = 1e-12;
constexpr double kFewRoundings = 0x1p-51;  // a few roundings
constexpr double kWhole = 0x1p58;          // what all capacities together are scaled to

/// Corners as steps, upwards or, where flipped, downwards. Step k of node i is node start_i + k of the cut.
struct Steps {
  std::vector<std::uint32_t> start{0};
  std::vector<double> move, gain;  // of every step: in x, and in the height of the polygon
  std::vector<double> first;       // of every node of the model
  CompensatedSum height;           // of all first corners
};

Steps steps_of(const CornerField& field, std::span<const EntropyPolygon> polygons) {
  Steps steps;
  steps.start.reserve(polygons.size() + 1);
  steps.first.reserve(polygons.size());
  for (Index i = 0; i < polygons.size(); ++i) {
    auto corners = polygons[i].corners();
    if (field.flipped[i]) std::reverse(corners.begin(), corners.end());
    const double share = field.share_of(i);
    steps.first.push_back(corners.front().x);
    steps.height.add(share * corners.front().height);
    for (std::size_t k = 1; k < corners.size(); ++k) {
      steps.move.push_back(corners[k].x - corners[k - 1].x);
      steps.gain.push_back(share * (corners[k].height - corners[k - 1].height));
    }
    steps.start.push_back(static_cast<std::uint32_t>(steps.move.size()));
  }
  return steps;
}

/// visit(step of one end, step of the other, half the product), over all edges that couple.
void for_each_product(std::span<const Edge> edges, const Steps& steps, auto&& visit) {
  for (const auto& [from, to, weight] : edges) {
    if (weight == 0) continue;
    for (std::uint32_t v = steps.start[from]; v < steps.start[from + 1]; ++v)
      for (std::uint32_t w = steps.start[to]; w < steps.start[to + 1]; ++w)
        visit(v, w, weight * steps.move[v] * steps.move[w] / 2);
  }
}

}  // namespace

double corner_products(std::span<const Edge> edges, std::span<const EntropyPolygon> polygons) {
  std::vector<std::uint32_t> steps(polygons.size());
  for (Index i = 0; i < polygons.size(); ++i)
    steps[i] = static_cast<std::uint32_t>(polygons[i].corners().size() - 1);
  double count = 0;
  for (const auto& [from, to, weight] : edges)
    count += static_cast<double>(steps[from]) * static_cast<double>(steps[to]);
  return count;
}

CornerCut best_corners(const CornerField& field, std::span<const EntropyPolygon> polygons,
                       const Budget& budget) {
  const Index n = field.bias.size();
  const Steps steps = steps_of(field, polygons);
  // Each product is a capacity, two arcs of the flow and their rests.
  double count = 0;
  for (const auto& [from, to, weight] : field.edges)
    count += static_cast<double>(steps.start[from + 1] - steps.start[from]) *
             static_cast<double>(steps.start[to + 1] - steps.start[to]);
  budget.require({.operations = 100 * count,
                  .bytes = 64 * count + 64 * static_cast<double>(steps.move.size())},
                 "minimum cuts");
  CompensatedSum constant = steps.height;
  constant.add(field.constant);
  double magnitude = std::abs(field.constant) + static_cast<double>(n);
  std::vector<double> linear = steps.gain;
  std::vector<double> slope(field.bias.begin(), field.bias.end());  // of a move, others at first
  for (Index i = 0; i < n; ++i) {
    constant.add(field.bias[i] * steps.first[i]);
    magnitude += std::abs(field.bias[i]);
  }
  std::vector<std::size_t> terms(n, 1);  // of the sums below, for what they lose to rounding
  for (const auto& [from, to, weight] : field.edges) {
    constant.add(weight * steps.first[from] * steps.first[to]);
    magnitude += std::abs(weight);
    slope[from] += weight * steps.first[to];
    slope[to] += weight * steps.first[from];
    if (weight == 0) continue;
    terms[from] += 1 + steps.start[to + 1] - steps.start[to];
    terms[to] += 1 + steps.start[from + 1] - steps.start[from];
  }
  double total = 0;
  std::size_t products = 0;
  for_each_product(field.edges, steps, [&](std::uint32_t v, std::uint32_t w, double half) {
    linear[v] += half;
    linear[w] += half;
    total += 2 * half;
    ++products;
  });
  CompensatedSum positive;
  for (Index i = 0; i < n; ++i)
    for (std::size_t v = steps.start[i]; v < steps.start[i + 1]; ++v) {
      linear[v] += slope[i] * steps.move[v];
      positive.add(std::max(linear[v], 0.0));
      total += std::abs(linear[v]);
    }

  CornerCut result{kInfinity, steps.first};
  if (!std::isfinite(total)) return result;  // beyond the range of a double: no bound
  const double scale = std::exp2(std::floor(std::log2(kWhole / std::max(total, 1e-280))));
  std::vector<std::int64_t> supply(linear.size());
  for (std::size_t v = 0; v < supply.size(); ++v)
    supply[v] = static_cast<std::int64_t>(linear[v] * scale);  // towards 0: never too much
  std::vector<FlowEdge> arcs;
  arcs.reserve(products);
  for_each_product(field.edges, steps, [&](std::uint32_t v, std::uint32_t w, double half) {
    const auto capacity = static_cast<std::int64_t>(half * scale);
    if (capacity > 0) arcs.push_back({v, w, capacity});
  });
  MaxFlow cut(std::move(supply), arcs);
  arcs = {};
  const double flow = static_cast<double>(cut.run(budget)) / scale;

  const double longest =
      n == 0 ? 0 : static_cast<double>(*std::max_element(terms.begin(), terms.end()));
  result.bound = constant.value() + positive.value() - flow +
                 (kCutMargin + kFewRoundings * longest) * magnitude;
  for (Index i = 0; i < n; ++i)
    for (std::uint32_t v = steps.start[i]; v < steps.start[i + 1]; ++v)
      if (cut.on_source_side(v)) result.corner[i] += steps.move[v];
  return result;
}

}  // namespace surefield
