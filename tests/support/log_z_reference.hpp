// log Z and marginals over the sets of a box by the definition of F, and boxes that fix some items.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"

namespace surefield::testing {

struct LogZTruth {
  double log_z = 0;
  std::vector<double> marginals;
  double largest = 0;               ///< |F|
  std::vector<double> probability;  ///< of every set, by code; 0 outside the box
};

template <class M>
LogZTruth exact_by_definition(const M& model, const Box& box, double beta = 1) {
  const Index n = model.size();
  const auto values = reference::all_values(model);
  LogZTruth truth;
  std::vector<double> terms(values.size(), -kInfinity);
  for (std::size_t code = 0; code < values.size(); ++code) {
    bool inside = true;
    for (Index i = 0; i < n; ++i)
      inside = inside && box[i].contains(static_cast<double>(code >> i & 1));
    if (!inside) continue;
    terms[code] = beta * values[code];
    truth.largest = std::max(truth.largest, std::abs(values[code]));
  }
  truth.log_z = log_sum_exp(terms);
  truth.marginals.assign(n, 0);
  for (std::size_t code = 0; code < values.size(); ++code) {
    truth.probability.push_back(std::exp(terms[code] - truth.log_z));
    for (Index i = 0; i < n; ++i)
      if (code >> i & 1) truth.marginals[i] += truth.probability.back();
  }
  return truth;
}

/// What rounding is relative to.
inline double scale_of(const LogZTruth& truth, double beta) {
  return 10 + std::abs(beta) * truth.largest;
}

/// A third of the time nothing is fixed, seldom all.
inline Box random_fixed_box(Index n, std::uint64_t seed) {
  Random random(seed * 77 + 1);
  const double share = random.chance(0.33) ? 0 : random.chance(0.1) ? 1 : 0.3;
  Box box = unit_box(n);
  for (Index i = 0; i < n; ++i)
    if (random.chance(share)) box.fix(i, static_cast<double>(random.below(2)));
  return box;
}

/// Directed for odd seeds.
inline GraphCut random_cut_either_way(Index n, std::uint64_t seed) {
  Random random(seed + 1000);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.chance(0.1) ? 0 : random.uniform(-3, 2);
  return make_graph_cut(bias, random_edges(n, 0.5, 0, 2, random), seed % 2 == 1);
}

}  // namespace surefield::testing
