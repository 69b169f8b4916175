#include "surefield/bounds/elbo/max_part.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"

namespace surefield {
namespace {

constexpr std::size_t kPasses = 40;       // refinements a call
constexpr std::size_t kSweeps = 12;       // contraction sweeps a call
constexpr double kSlack = 1e-15;          // an item, of the slopes in contraction
constexpr double kLayerRounding = 2e-15;  // a layer, of all that is added up

}  // namespace

MaxPart::MaxPart(std::span<const std::uint32_t> members, std::span<const double> weight)
    : MaxPart(members, weight, std::vector<double>(members.size(), 1)) {}

MaxPart::MaxPart(std::span<const std::uint32_t> members, std::span<const double> weight,
                 std::span<const double> chance) {
  require(members.size() == weight.size(), "max part: ", members.size(), " members but ",
          weight.size(), " weights");
  require(members.size() == chance.size(), "max part: ", members.size(), " members but ",
          chance.size(), " chances");
  for (std::size_t k = 0; k < weight.size(); ++k) {
    require(std::isfinite(weight[k]) && weight[k] >= 0, "max part: item ", members[k],
            " has weight ", weight[k], ", which must be finite and >= 0");
    require(chance[k] >= 0 && chance[k] <= 1, "max part: item ", members[k], " has chance ",
            chance[k], ", which must be in [0, 1]");
  }
  std::vector<std::size_t> order(weight.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight[a] < weight[b]; });
  for (const std::size_t k : order) {
    members_.push_back(members[k]);
    weight_.push_back(weight[k]);
    chance_.push_back(chance[k]);
  }
  layers_.resize(weight_.size() + 1);
  below_.resize(weight_.size() + 1);
  above_.resize(weight_.size() + 1);
  path_.resize(weight_.size() + 1);
}

double MaxPart::value(std::span<const double> x) const {
  double e = 0;
  for (std::size_t k = 0; k < weight_.size(); ++k) e += x[k] * step(k, e);
  return e;
}

void MaxPart::gradient(std::span<const double> x, std::span<double> out) const {
  double e = 0;
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    out[k] = step(k, e);
    e += x[k] * out[k];
  }
  double none_above = 1;
  for (std::size_t k = weight_.size(); k-- > 0;) {
    out[k] *= none_above;
    none_above *= 1 - chance_[k] * x[k];
  }
}

std::string MaxPart::notes() const {
  std::vector<std::pair<std::vector<double>, std::vector<double>>> grids;
  for (const Layer& layer : layers_) grids.emplace_back(layer.e, layer.slope);
  return packed(std::move(grids));
}

void MaxPart::recall(std::string_view notes) const {
  auto grids = unpacked<std::vector<std::pair<std::vector<double>, std::vector<double>>>>(notes);
  require(grids.size() == layers_.size(), "max part: notes of ", grids.size(), " layers, not of ",
          layers_.size());
  for (std::size_t k = 0; k < layers_.size(); ++k)
    std::tie(layers_[k].e, layers_[k].slope) = std::move(grids[k]);
}

std::size_t MaxPart::work() const {
  std::size_t points = 0;
  for (const Layer& layer : layers_) points += layer.e.size();
  return points;
}

/// Shrinks the box to where a maximiser can be: the slope of m_r along k lies between those at the
/// top and at the bottom of the box. Leaves the ranges of e in below_ and above_.
void MaxPart::contract() const {
  const std::size_t n = weight_.size();
  const double scale = n == 0 ? 0 : weight_.back();
  auto& [theta, c, low, high, entropy_low, entropy_high] = now_;
  const auto ranges = [&] {
    below_[0] = above_[0] = 0;
    for (std::size_t k = 0; k < n; ++k) {
      below_[k + 1] = below_[k] + low[k] * step(k, below_[k]);
      above_[k + 1] = above_[k] + high[k] * step(k, above_[k]);
    }
  };
  ranges();
  for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
    double moved = 0;
    double none_above_low = 1;  // the chance that no later item counts, at the bottom of the box
    double none_above_high = 1;
    for (std::size_t k = n; k-- > 0;) {
      const double old_low = low[k];
      const double old_high = high[k];
      if (old_low < old_high) {
        const double slack = kSlack * static_cast<double>(n + 100) * (std::abs(theta[k]) + scale);
        const double most = theta[k] + none_above_low * step(k, below_[k]) + slack;
        const double least = theta[k] + none_above_high * step(k, above_[k]) - slack;
        // c = 0 and a slope of both signs, or none: nothing is known.
        double up = c[k] > 0 ? sigmoid(most / c[k]) * (1 + 1e-14) : (most >= 0 ? 1.0 : 0.0);
        double down = c[k] > 0 ? sigmoid(least / c[k]) * (1 - 1e-14) : (least > 0 ? 1.0 : 0.0);
        high[k] = std::clamp(up, old_low, old_high);
        low[k] = std::min(std::clamp(down, old_low, old_high), high[k]);
        moved = std::max(moved, ((old_high - old_low) - (high[k] - low[k])) * step(k, below_[k]));
      }
      none_above_low *= 1 - chance_[k] * low[k];
      none_above_high *= 1 - chance_[k] * high[k];
    }
    ranges();
    if (moved <= 0.02 * scale) break;
  }
  for (std::size_t k = 0; k < n; ++k) {
    entropy_low[k] = entropy(low[k]);
    entropy_high[k] = entropy(high[k]);
  }
}

double MaxPart::bound(std::span<const double> theta, std::span<const double> c,
                      std::span<const double> low, std::span<const double> high, double precision,
                      std::span<double> x) const {
  const std::size_t n = weight_.size();
  SUREFIELD_ASSERT(theta.size() == n && c.size() == n && low.size() == n && high.size() == n);
  SUREFIELD_ASSERT(std::all_of(c.begin(), c.end(), [](double share) { return share >= 0; }));
  now_.theta = theta;
  now_.c = c;
  now_.low.assign(low.begin(), low.end());
  now_.high.assign(high.begin(), high.end());
  now_.entropy_low.resize(n);
  now_.entropy_high.resize(n);
  contract();
  std::size_t wide = 1;
  for (std::size_t k = 0; k <= n; ++k) wide += above_[k] > below_[k];
  const double share = precision / static_cast<double>(wide);
  lay_grids(0.05 * share);
  path_.resize(n + 1);
  layers_[n].v = layers_[n].e;
  if (layers_[n].e.size() > 1) {  // V_n(e) = e needs no grid
    layers_[n].e = {below_[n], above_[n]};
    layers_[n].v = layers_[n].e;
    layers_[n].slope = {1};
  } else {
    layers_[n].slope.clear();
  }
  std::size_t from = n;
  double result = 0;
  double magnitude = n == 0 ? 0 : weight_.back();
  for (std::size_t k = 0; k < n; ++k) magnitude += std::abs(theta[k]) + c[k];
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    for (std::size_t k = from; k-- > 0;) solve_layer(k);
    result = layers_[0].v[0];
    // The path that attains the bound, and what each chord adds to it.
    double e = 0;
    double excess = 0;
    from = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const Choice choice = best(k, e);
      const double here = k == 0 ? 0 : at(k, e) - choice.value;
      excess += std::max(0.0, here);
      path_[k] = here;
      x[k] = choice.x;
      e += x[k] * std::max(0.0, step(k, e));
    }
    // Points that no pass comes to solve would leave their layer half made for the next call.
    if (excess <= precision || pass + 1 == kPasses) break;
    e = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (path_[k] > 0.25 * share && refine(k, e, share / path_[k])) from = k + 1;
      e += x[k] * std::max(0.0, step(k, e));
    }
    if (from == 0) break;
  }
  return result + kLayerRounding * static_cast<double>(n + 16) * magnitude;
}

}  // namespace surefield
