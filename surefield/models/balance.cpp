#include "surefield/models/balance.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/models/gibbs_field/monomial_sum.hpp"

namespace surefield {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// A two-colouring by breadth-first search, and the first edge found that contradicts it.
struct Colouring {
  std::vector<std::uint8_t> flips;
  std::vector<std::uint32_t> parent;  // in the search tree
  std::optional<std::pair<Index, Index>> conflict;
};

Colouring colouring_of(const PairwiseField& model) {
  const Index n = model.size();
  Colouring result{std::vector<std::uint8_t>(n, 0), std::vector<std::uint32_t>(n, kNone), {}};
  std::vector<std::uint8_t> seen(n, 0);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t start = 0; start < n; ++start) {
    if (seen[start]) continue;
    seen[start] = 1;
    queue.assign(1, start);
    for (Index next = 0; next < queue.size(); ++next) {
      const auto i = queue[next];
      for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e) {
        if (model.coupling[e] == 0) continue;
        const auto j = model.neighbour[e];
        const std::uint8_t wanted = result.flips[i] ^ (model.coupling[e] > 0 ? 1 : 0);
        if (!seen[j]) {
          seen[j] = 1;
          result.flips[j] = wanted;
          result.parent[j] = i;
          queue.push_back(j);
        } else if (result.flips[j] != wanted) {
          result.conflict = {i, j};
          return result;
        }
      }
    }
  }
  return result;
}

/// Per pair the mean of its interaction over all sets: sum_A coefficient_A 2^{2 - |A|}.
PairwiseField mean_interactions(const GibbsField& model) {
  std::vector<Edge> edges;  // parallel ones are added up exactly: only signs matter
  for (const auto& [variables, coefficient] : model.terms()) {
    const double share = std::ldexp(coefficient, 2 - static_cast<int>(variables.size()));
    for (Index a = 0; a < variables.size(); ++a)
      for (Index b = a + 1; b < variables.size(); ++b)
        edges.push_back({variables[a], variables[b], share});
  }
  return make_pairwise_field(std::vector<double>(model.size(), 0.0), edges);
}

bool within_limit(const Monomial& term, Subset flips) {
  return static_cast<Index>(std::count_if(term.variables.begin(), term.variables.end(),
                                          [&](auto i) { return flips[i] != 0; })) <= kLargestFlip;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> balancing_flips(const PairwiseField& model) {
  auto colouring = colouring_of(model);
  if (colouring.conflict) return std::nullopt;
  return std::move(colouring.flips);
}

std::optional<std::vector<std::uint8_t>> balancing_flips(const GibbsField& model) {
  auto flips = balancing_flips(mean_interactions(model));
  if (!flips) return std::nullopt;
  for (const auto& term : model.terms())
    if (!within_limit(term, *flips)) return std::nullopt;
  if (submodularity_violation(flipped(model, *flips))) return std::nullopt;
  return flips;
}

std::vector<Index> frustrated_cycle(const PairwiseField& model) {
  const auto colouring = colouring_of(model);
  if (!colouring.conflict) return {};
  const auto path_to_root = [&](Index i) {
    std::vector<Index> path{i};
    while (colouring.parent[path.back()] != kNone) path.push_back(colouring.parent[path.back()]);
    return path;
  };
  auto left = path_to_root(colouring.conflict->first);
  auto right = path_to_root(colouring.conflict->second);
  Index meeting = left.back();  // the last node the two paths have in common, coming from the root
  while (!left.empty() && !right.empty() && left.back() == right.back()) {
    meeting = left.back();
    left.pop_back();
    right.pop_back();
  }
  left.push_back(meeting);
  left.insert(left.end(), right.rbegin(), right.rend());
  return left;
}

std::vector<Index> frustrated_cycle(const GibbsField& model) {
  return frustrated_cycle(mean_interactions(model));
}

PairwiseField flipped(const PairwiseField& model, Subset flips) {
  SUREFIELD_ASSERT(flips.size() == model.size());
  ExactSum constant;
  constant.add(model.constant);
  std::vector<double> bias(model.size());
  for (Index i = 0; i < bias.size(); ++i) {
    ExactSum sum;  // what i is worth where all the others are as they are at y = 0
    sum.add(model.bias[i]);
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e) {
      if (!flips[model.neighbour[e]]) continue;
      sum.add(model.coupling[e]);
      if (flips[i] && model.neighbour[e] > i) constant.add(model.coupling[e]);
    }
    bias[i] = flips[i] ? -sum.value() : sum.value();
    if (flips[i]) constant.add(model.bias[i]);
  }
  auto edges = model.edges();
  for (auto& [from, to, weight] : edges)
    if (flips[from] != flips[to]) weight = -weight;
  auto result = make_pairwise_field(std::move(bias), edges, constant.value());
  result.inherited_error = model.inherited_error;
  return result;
}

GibbsField flipped(const GibbsField& model, Subset flips) {
  SUREFIELD_ASSERT(flips.size() == model.size());
  MonomialSum sum;
  sum.add({}, model.constant);
  for (std::uint32_t i = 0; i < model.size(); ++i) {
    sum.add({i}, flips[i] ? -model.bias[i] : model.bias[i]);
    if (flips[i]) sum.add({}, model.bias[i]);
  }
  const auto terms = model.terms();
  std::vector<std::uint32_t> turned;
  std::vector<std::uint32_t> variables;
  for (Index t = 0; t < terms.size(); ++t) {
    turned.clear();
    for (const auto i : terms[t].variables)
      if (flips[i]) turned.push_back(i);
    require(within_limit(terms[t], flips), "flips: term ", t, " has ", turned.size(),
            " flipped variables, more than the limit of ", kLargestFlip);
    // prod over turned of (1 - y_i) = sum over its subsets of (-1)^size prod y_i
    for (Index code = 0; code < Index{1} << turned.size(); ++code) {
      double coefficient = terms[t].coefficient;
      variables.clear();
      for (const auto i : terms[t].variables)
        if (!flips[i]) variables.push_back(i);
      for (Index k = 0; k < turned.size(); ++k) {
        if (!((code >> k) & 1)) continue;
        variables.push_back(turned[k]);
        coefficient = -coefficient;
      }
      std::sort(variables.begin(), variables.end());
      sum.add(variables, coefficient);
    }
  }
  auto polynomial = sum.polynomial(model.size());
  auto result = make_gibbs_field(std::move(polynomial.bias), polynomial.terms, polynomial.constant);
  result.inherited_error = model.inherited_error;
  remove_attraction_within(result, polynomial.noise);
  return result;
}

}  // namespace surefield
