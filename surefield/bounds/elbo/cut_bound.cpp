#include "surefield/bounds/elbo/cut_bound.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/elbo/entropy_polygon.hpp"
#include "surefield/bounds/elbo/max_flow.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/interaction.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr double kCutMargin = 1e-12;
constexpr double kFewRoundings = 0x1p-51;         // a few roundings
constexpr double kWhole = 0x1p58;                 // what all capacities together are scaled to
constexpr double kFirstProducts = 1.2e7;          // of the first cut
constexpr double kRoughly = 1e-3, kFully = 1e-9;  // tolerances of ascents, between rounds and last
constexpr double kWorthATangent = 0.3;            // of the mean excess

/// Corners as steps: x_i = first_i + sum of the steps taken, upwards or, where flipped, downwards.
/// Step k of node i is node start_i + k of the cut.
struct Steps {
  std::vector<std::size_t> start{0};
  std::vector<double> move, gain;  // of every step: in x, and in the height of the polygon
  std::vector<double> first;       // of every node of the model
  CompensatedSum height;           // of all first corners
};

Steps steps_of(const std::vector<EntropyPolygon>& polygons,
               const std::vector<std::uint8_t>& flipped) {
  Steps steps;
  for (Index i = 0; i < polygons.size(); ++i) {
    auto corners = polygons[i].corners();
    if (flipped[i]) std::reverse(corners.begin(), corners.end());
    steps.first.push_back(corners.front().x);
    steps.height.add(corners.front().height);
    for (std::size_t k = 1; k < corners.size(); ++k) {
      steps.move.push_back(corners[k].x - corners[k - 1].x);
      steps.gain.push_back(corners[k].height - corners[k - 1].height);
    }
    steps.start.push_back(steps.move.size());
  }
  return steps;
}

/// Steps of the cut times steps of the cut, over all edges: the arcs there will be.
template <class StepsOf>
double products_of(const std::vector<Edge>& edges, const StepsOf& steps) {
  double count = 0;
  for (const auto& [from, to, weight] : edges)
    count += static_cast<double>(steps(from) * steps(to));
  return count;
}

/// Tangents so far apart that the first cut has no more arcs than are settled within seconds.
std::vector<EntropyPolygon> first_polygons(const std::vector<Edge>& edges, const Box& box,
                                           double spacing) {
  for (;; spacing *= 1.5) {
    std::vector<EntropyPolygon> polygons;
    polygons.reserve(box.size());
    for (Index i = 0; i < box.size(); ++i) polygons.emplace_back(box[i], spacing);
    const auto steps = [&](Index i) { return polygons[i].corners().size() - 1; };
    if (spacing > 2 || products_of(edges, steps) <= kFirstProducts) return polygons;
  }
}

struct CutResult {
  double bound = kInfinity;
  std::vector<double> corner;  // the best corner of every node
};

/// max over the corners of  sum_v linear_v z_v + sum_vw product_vw z_v z_w, z in {0, 1}: with
/// z_v z_w = (z_v + z_w - |z_v - z_w|) / 2 a minimum cut with capacities product / 2.
CutResult best_corners(const PairwiseField& model, const std::vector<Edge>& edges,
                       const Steps& steps, const Budget& budget) {
  const Index n = model.size();
  // Each product is a capacity, two arcs of the flow and their rests.
  const double count =
      products_of(edges, [&](Index i) { return steps.start[i + 1] - steps.start[i]; });
  budget.require({.operations = 100 * count,
                  .bytes = 80 * count + 64 * static_cast<double>(steps.move.size())},
                 "minimum cuts");
  CompensatedSum constant = steps.height;
  constant.add(model.constant);
  double magnitude = std::abs(model.constant) + static_cast<double>(n);
  std::vector<double> linear = steps.gain;
  std::vector<double> field = model.bias;  // what a step of node i gains per move, others at first
  for (Index i = 0; i < n; ++i) {
    constant.add(model.bias[i] * steps.first[i]);
    magnitude += std::abs(model.bias[i]);
  }
  struct Product {
    std::uint32_t from, to;
    double half;
  };
  std::vector<Product> products;
  std::vector<std::size_t> terms(n, 1);  // of the sums below, for what they lose to rounding
  for (const auto& [from, to, weight] : edges) {
    constant.add(weight * steps.first[from] * steps.first[to]);
    magnitude += std::abs(weight);
    field[from] += weight * steps.first[to];
    field[to] += weight * steps.first[from];
    if (weight == 0) continue;
    terms[from] += 1 + steps.start[to + 1] - steps.start[to];
    terms[to] += 1 + steps.start[from + 1] - steps.start[from];
    for (std::size_t v = steps.start[from]; v < steps.start[from + 1]; ++v)
      for (std::size_t w = steps.start[to]; w < steps.start[to + 1]; ++w) {
        const double half = weight * steps.move[v] * steps.move[w] / 2;
        linear[v] += half;
        linear[w] += half;
        products.push_back({static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(w), half});
      }
  }
  double total = 0;
  CompensatedSum positive;
  for (Index i = 0; i < n; ++i)
    for (std::size_t v = steps.start[i]; v < steps.start[i + 1]; ++v) {
      linear[v] += field[i] * steps.move[v];
      positive.add(std::max(linear[v], 0.0));
      total += std::abs(linear[v]);
    }
  for (const Product& product : products) total += 2 * product.half;

  CutResult result{kInfinity, steps.first};
  if (!std::isfinite(total)) return result;  // beyond the range of a double: no bound
  const double scale = std::exp2(std::floor(std::log2(kWhole / std::max(total, 1e-280))));
  std::vector<std::int64_t> supply(linear.size());
  for (std::size_t v = 0; v < supply.size(); ++v)
    supply[v] = static_cast<std::int64_t>(linear[v] * scale);  // towards 0: never too much
  std::vector<FlowEdge> arcs;
  arcs.reserve(products.size());
  for (const Product& product : products) {
    const auto capacity = static_cast<std::int64_t>(product.half * scale);
    if (capacity > 0) arcs.push_back({product.from, product.to, capacity});
  }
  products = {};
  MaxFlow cut(std::move(supply), arcs);
  const double flow = static_cast<double>(cut.run(budget)) / scale;

  const double longest =
      n == 0 ? 0 : static_cast<double>(*std::max_element(terms.begin(), terms.end()));
  result.bound = constant.value() + positive.value() - flow +
                 (kCutMargin + kFewRoundings * longest) * magnitude;
  for (Index i = 0; i < n; ++i)
    for (std::size_t v = steps.start[i]; v < steps.start[i + 1]; ++v)
      if (cut.on_source_side(static_cast<std::uint32_t>(v))) result.corner[i] += steps.move[v];
  return result;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> attracting_flips(const PairwiseField& model,
                                                          const Box& box) {
  const Index n = model.size();
  std::vector<std::uint8_t> flipped(n, 0), seen(n, 0);
  std::vector<Index> open;
  for (Index root = 0; root < n; ++root) {
    if (seen[root] || box[root].is_point()) continue;
    seen[root] = 1;
    open.push_back(root);
    while (!open.empty()) {
      const Index i = open.back();
      open.pop_back();
      for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e) {
        const Index j = model.neighbour[e];
        if (model.coupling[e] == 0 || box[j].is_point()) continue;
        const std::uint8_t side = flipped[i] ^ (model.coupling[e] < 0 ? 1 : 0);
        if (seen[j]) {
          if (flipped[j] != side) return std::nullopt;
          continue;
        }
        seen[j] = 1;
        flipped[j] = side;
        open.push_back(j);
      }
    }
  }
  return flipped;
}

CutBoundReport cut_bound(const PairwiseField& model, const Box& box, const CutBoundOptions& options,
                         const CutObserver& observer) {
  const Index n = model.size();
  require_inside_unit(box, n);
  require(options.rounds >= 1, "cut bound: the number of rounds is ", options.rounds,
          ", which must be >= 1");
  require(std::isfinite(options.wanted_gap) && options.wanted_gap >= 0,
          "cut bound: the wanted gap is ", options.wanted_gap, ", which must be finite and >= 0");
  require(options.spacing >= 0.01 && options.spacing <= 4, "cut bound: the spacing is ",
          options.spacing, ", which must lie in [0.01, 4]");
  const auto flipped = attracting_flips(model, box);
  require(flipped.has_value(),
          "cut bound: the field has an odd cycle of couplings < 0, which must not be: flipping "
          "nodes cannot make all couplings >= 0");

  const auto edges = model.edges();
  std::vector<EntropyPolygon> polygons = first_polygons(edges, box, options.spacing);
  const bool large = n >= kColouredItems;
  const Order order =
      large ? Order::coloured(n, colour_in_blocks(model.neighbours())) : Order::natural(n);
  const auto ascend = [&](const std::vector<double>& from, double tolerance) {
    return coordinate_ascent(Elbo(model.at(from)), box, order,
                             {.epochs = 500,
                              .tolerance = tolerance,
                              .budget = options.budget,
                              .neighbours = large ? model.neighbours() : Neighbours{}});
  };
  CutBoundReport report;
  report.bound = kInfinity;
  report.value = -kInfinity;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    CutResult cut;
    try {
      cut = best_corners(model, edges, steps_of(polygons, *flipped), options.budget);
    } catch (const TooMuch&) {  // the bounds before hold
      if (round == 0) throw;
      report.status = Status::kInterrupted;
      break;
    }
    report.bound = std::min(report.bound, cut.bound);
    for (Index i = 0; i < n; ++i) cut.corner[i] = box[i].clamp(cut.corner[i]);
    const Report polished = ascend(cut.corner, large ? kRoughly : kFully);
    if (polished.value > report.value) {
      report.value = polished.value;
      report.point = polished.point;
    }
    report.rounds = round + 1;
    const double wanted = options.wanted_gap * std::max(1.0, std::abs(report.value));
    if (report.bound - report.value <= wanted) {
      report.status = Status::kConverged;
      break;
    }
    if (options.budget.spent() ||
        (observer && !observer(report.rounds, report.bound, report.value))) {
      report.status = Status::kInterrupted;
      break;
    }
    double excess = 0;
    for (Index i = 0; i < n; ++i) excess += polygons[i].excess(cut.corner[i]);
    const double enough =
        std::max(wanted / 4, kWorthATangent * excess) / static_cast<double>(n) + 1e-13;
    bool changed = false;
    for (Index i = 0; i < n; ++i)
      if (polygons[i].excess(cut.corner[i]) > enough) {
        polygons[i].touch(cut.corner[i]);
        changed = true;
      }
    if (!changed) break;  // what is left is rounding
  }
  if (large) {
    Report polished = ascend(report.point, kFully);
    if (polished.value > report.value) {
      report.value = polished.value;
      report.point = std::move(polished.point);
    }
  }
  return report;
}

}  // namespace surefield
