// Weighted coverage with costs: every chosen item covers some concepts, surely or with a chance.
//
//   F(S) = -sum_{i in S} cost_i + sum_c w_c (1 - prod_{i in S} (1 - p_ic))    w >= 0: submodular
//   m(x) = -sum_i cost_i x_i + sum_c w_c (1 - prod_i (1 - p_ic x_i))          multilinear extension
//   dm/dx_i = -cost_i + sum_c w_c p_ic prod_{j != i} (1 - p_jc x_j)
//
// Each concept keeps its product as a ScaledProduct: sure coverage (p = x = 1) is a zero factor
// that is counted, and products may fall far below the smallest double. A product is rebuilt after
// as many replacements as it has factors: it never drifts by more than a few times its own
// rounding.
//
// Cost: partial and set O(concepts of i), the latter amortised over the rebuilding; gradient
// O(entries), value O(n + concepts); memory 32 bytes per entry, a state 20 per concept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/incidence.hpp"
#include "surefield/core/scaled_product.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct Coverage {
  static constexpr std::string_view kKind = "coverage";
  class State;
  class Set;

  std::vector<double> cost;            ///< of choosing item i; may be negative
  std::vector<double> concept_weight;  ///< w_c
  Incidence members;  ///< group = concept c, entries (item i, probability p_ic that i covers c)

  Index size() const { return cost.size(); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const;
};

class Coverage::State {
 public:
  State(const Coverage& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const {
    double sum = -model_->cost[i];
    for (const auto& [c, p] : model_->members.of_item(i))
      sum += model_->concept_weight[c] * p * uncovered_[c].without(missed(p, x_[i]));
    return sum;
  }
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v);

 private:
  /// 1 - p x as a sum of two terms >= 0, so that it keeps its relative accuracy when p x is
  /// nearly 1.
  static double missed(double p, double x) { return (1 - x) + x * (1 - p); }
  void rebuild(Index c);

  const Coverage* model_;
  std::vector<double> x_;
  std::vector<ScaledProduct> uncovered_;  // prod_i (1 - p_ic x_i) of each concept
  std::vector<std::uint32_t> replaced_;   // factors of each concept, since it was rebuilt
};

/// The multilinear extension at a corner is F itself, and where all p are 1 the products are
/// counts: a state serves. gain, add and remove O(concepts of the item), value O(n + concepts).
class Coverage::Set {
 public:
  explicit Set(const Coverage& model) : state_(model, std::vector<double>(model.size(), 0)) {}

  Index size() const { return state_.size(); }
  bool contains(Index i) const { return state_.coordinate(i) != 0; }
  double gain(Index i) const { return state_.partial(i); }
  double value() const { return state_.value(); }
  void add(Index i) { state_.set(i, 1); }
  void remove(Index i) { state_.set(i, 0); }

 private:
  State state_;
};

/// One list of (item, probability) per concept, in any order. Throws Error unless there is one
/// weight per concept, every number is finite, their sizes add up to a finite number, 0 <= p <= 1,
/// and no concept lists an item twice.
Coverage make_coverage(std::vector<double> cost, std::vector<double> concept_weight,
                       std::span<const std::vector<Entry>> members);

/// Why F may fail to be submodular, naming the concept; nothing if every weight is >= 0, or stands
/// where no two items meet.
std::optional<std::string> submodularity_violation(const Coverage& model);

/// Sizes, rounding and submodularity, proved in coverage_facts.cpp.
Facts facts_of(const Coverage& model);

}  // namespace surefield
