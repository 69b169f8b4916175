// One random submodular model of every family, for bounds that must hold on all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_concave.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/support/random_hypergraph.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"

namespace surefield::testing {

inline GraphCut random_cut(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 2);
  return make_graph_cut(bias, random_edges(n, 0.6, 0, 2, random), random.chance(0.5));
}

/// visit(name, model) for the families whose multilinear extension is exact.
template <class Visit>
void for_each_exact_family(Index n, std::uint64_t seed, Visit&& visit) {
  const Index groups = seed % 4;
  visit("flid", AnyModel(random_flid(n, groups, seed, seed % 5 == 0)));
  visit("facility location", AnyModel(random_facility(n, groups, seed)));
  visit("coverage", AnyModel(random_coverage(n, groups, seed)));
  visit("sure coverage", AnyModel(random_coverage(n, groups, seed, true)));
  visit("pairwise", AnyModel(random_pairwise(n, static_cast<double>(seed % 5) / 4, seed)));
  visit("cut", AnyModel(random_cut(n, seed)));
  visit("hypergraph cut", AnyModel(random_hypergraph_cut(n, groups, seed)));
  visit("gibbs", AnyModel(random_submodular_gibbs(n, groups, seed)));
  visit("concave", AnyModel(random_concave(n, 2, seed)));
  visit("sum", AnyModel(make_weighted_sum(n, {{0.5, AnyModel(random_flid(n, 2, seed))},
                                              {1.5, AnyModel(random_pairwise(n, 0.5, seed))},
                                              {0, AnyModel(random_coverage(n, 1, seed))}})));
}

/// And those whose extension is estimated by sampling.
template <class Visit>
void for_each_family(Index n, std::uint64_t seed, Visit&& visit) {
  for_each_exact_family(n, seed, visit);
  visit("log det", AnyModel(make_log_det(random_kernel(n, seed), 2)));
  const FacilityLocation inner = random_facility(n, 2, seed + 1);
  visit("black box", AnyModel(make_black_box(
                         n, [inner](Subset chosen) { return inner.evaluate(chosen); }, 2)));
}

/// Some items fixed, by chance none or all.
inline Box random_fixing(Index n, std::uint64_t seed) {
  Random random(seed);
  Box box = unit_box(n);
  const double density = random.chance(0.1) ? 1 : random.uniform(0, 0.5);
  for (Index i = 0; i < n; ++i)
    if (random.chance(density)) box.fix(i, random.chance(0.5) ? 1 : 0);
  return box;
}

/// beta F of every set of the box.
template <class M>
std::vector<double> values_in(const M& model, const Box& box, double beta) {
  std::vector<double> values;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << model.size(); ++code) {
    const auto chosen = reference::subset(code, model.size());
    bool inside = true;
    for (Index i = 0; i < model.size(); ++i) inside &= box[i].contains(chosen[i]);
    if (inside) values.push_back(beta * model.evaluate(chosen));
  }
  return values;
}

/// The sizes of all numbers of a model added up, term by term.
class SizesOfTerms final : public TermVisitor {
 public:
  void constant(double w) override { sum_ += std::abs(w); }
  void linear(Index, double w) override { sum_ += std::abs(w); }
  void pair(Index, Index, double w) override { sum_ += std::abs(w); }
  void product(std::span<const Entry>, double w) override { sum_ += std::abs(w); }
  void best(std::span<const Entry> members, double w) override {
    for (const Entry& member : members) sum_ += std::abs(w * member.value);
  }
  void cover(std::span<const Entry>, double w) override { sum_ += std::abs(w); }
  void cut(const Hyperedge&, double w) override { sum_ += std::abs(w); }
  void concave(std::span<const Entry> members, const Concave& shape, double w) override {
    double all = 0;
    for (const Entry& member : members) all += member.value;
    sum_ += 1e5 * std::abs(w * shape(all));  // they meet a tolerance, not rounding
  }
  double sum() const { return sum_; }

 private:
  double sum_ = 0;
};

/// What may lie between two computations of a number of the model, by the sizes of its numbers.
inline double rounding_of(const AnyModel& model, double beta) {
  SizesOfTerms sizes;
  if (model.has_terms()) model.show_terms(sizes, 1, "test");
  double largest = sizes.sum();
  for (std::uint64_t code = 0; code < std::uint64_t{1} << model.size(); ++code)
    largest =
        std::max(largest, 100 * std::abs(model.evaluate(reference::subset(code, model.size()))));
  return 1e-9 + beta * 2e-13 * largest;
}

/// log sum over the sets of the box of exp(beta F).
template <class M>
double log_z_in(const M& model, const Box& box, double beta) {
  return log_sum_exp(values_in(model, box, beta));
}

}  // namespace surefield::testing
