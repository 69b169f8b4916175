// FLDC, diversity and coherence: items that replace one another, and items that go together.
//
//   F(S) = sum_{i in S} u_i + sum_d (max_{i in S} W_id - sum_{i in S} W_id)      diversity, as in a FLID
//                           + sum_e (sum_{i in S} V_ie - max_{i in S} V_ie)      coherence
//
// For W, V >= 0 the first sum is submodular and the second supermodular: of two items, a dimension takes
// min(W_id, W_jd) away and a concept adds min(V_ie, V_je). Both are facility locations, so that
//
//   F = diversity - coherence      cost_i = sum_d W_id - sum_e V_ie - u_i of the first, 0 of the second
//
// and a state is one state of each. Not submodular wherever two items share a concept: algorithms keep
// no guarantee there, bounds made of terms do. Cost: as flid.hpp with D + E dimensions.
//
// S. Tschiatschek, J. Djolonga, A. Krause. Learning Probabilistic Submodular Diversity Models via
// Noise Contrastive Estimation. AISTATS 2016.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/models/facility_location/facility_location.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct Fldc {
  static constexpr std::string_view kKind = "fldc";
  class State;
  class Set;

  Index dimensions = 0, concepts = 0;
  std::vector<double> utility;      ///< u_i
  std::vector<double> weights;      ///< W row by row: item i, dimension d at [i * dimensions + d]
  std::vector<double> coherence;    ///< V row by row: item i, concept e at [i * concepts + e]
  FacilityLocation best_weight;     ///< what is added: derived from the above by make_fldc
  FacilityLocation best_coherence;  ///< what is taken away: sum_e max_{i in S} V_ie

  Index size() const { return utility.size(); }
  double weight(Index i, Index d) const { return weights[i * dimensions + d]; }
  double together(Index i, Index e) const { return coherence[i * concepts + e]; }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const;
};

class Fldc::State {
 public:
  State(const Fldc& model, std::span<const double> x)
      : added_(model.best_weight.at(x)), taken_(model.best_coherence.at(x)) {}

  Index size() const { return added_.size(); }
  double coordinate(Index i) const { return added_.coordinate(i); }
  double partial(Index i) const { return added_.partial(i) - taken_.partial(i); }
  void gradient(std::span<double> out) const;
  double value() const { return added_.value() - taken_.value(); }
  void set(Index i, double v) {
    added_.set(i, v);
    taken_.set(i, v);
  }

 private:
  FacilityLocation::State added_, taken_;
};

class Fldc::Set {
 public:
  explicit Set(const Fldc& model)
      : added_(model.best_weight.empty_set()), taken_(model.best_coherence.empty_set()) {}

  Index size() const { return added_.size(); }
  bool contains(Index i) const { return added_.contains(i); }
  double gain(Index i) const { return added_.gain(i) - taken_.gain(i); }
  double value() const { return added_.value() - taken_.value(); }
  void add(Index i) {
    added_.add(i);
    taken_.add(i);
  }
  void remove(Index i) {
    added_.remove(i);
    taken_.remove(i);
  }

 private:
  FacilityLocation::Set added_, taken_;
};

/// Throws Error unless there are items * dimensions weights and items * concepts coherences and every
/// number is finite, their sizes added up too.
Fldc make_fldc(std::vector<double> utility, std::vector<double> weights, Index dimensions,
               std::vector<double> coherence, Index concepts);

/// Why F may fail to be submodular: a weight or coherence < 0, or two items that share a concept;
/// nothing otherwise, or if n < 2.
std::optional<std::string> submodularity_violation(const Fldc& model);

/// Sizes, rounding and submodularity, proved in fldc_facts.cpp.
Facts facts_of(const Fldc& model);

}  // namespace surefield
