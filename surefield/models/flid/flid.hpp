// FLID, the facility location diversity model: in each dimension only the best item counts.
//
//   F(S) = sum_{i in S} u_i + sum_d (max_{i in S} W_id - sum_{i in S} W_id)     W >= 0: submodular
//
// A facility location in other words, with cost_i = sum_d W_id - u_i and the dimensions as
// customers; `facility` is that model, and its states are the states of the FLID. Cost: as
// facility_location.hpp, partial and set O(dimensions log n). Rounding is relative to the largest
// weight, which F may lack: alone, an item is worth u_i whatever its weights.
//
// S. Tschiatschek, J. Djolonga, A. Krause. Learning Probabilistic Submodular Diversity Models via
// Noise Contrastive Estimation. AISTATS 2016.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/models/facility_location/facility_location.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct Flid {
  static constexpr std::string_view kKind = "flid";
  using State = FacilityLocation::State;
  using Set = FacilityLocation::Set;

  Index dimensions = 0;
  std::vector<double> utility;  ///< u_i
  std::vector<double> weights;  ///< W row by row: item i, dimension d at [i * dimensions + d]
  FacilityLocation facility;    ///< derived from the above by make_flid

  Index size() const { return utility.size(); }
  double weight(Index i, Index d) const { return weights[i * dimensions + d]; }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const& {
    return facility.at(x);
  }  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const& { return facility.empty_set(); }
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const {
    facility.show_terms(visitor, weight);
  }
};

/// Throws Error unless there are items * dimensions weights and every number is finite, their sizes
/// added up too.
Flid make_flid(std::vector<double> utility, std::vector<double> weights, Index dimensions);

/// Why F may fail to be submodular, naming the item and the dimension; nothing if all weights are
/// >= 0 or n < 2.
std::optional<std::string> submodularity_violation(const Flid& model);

/// Sizes, rounding and submodularity, proved in flid_facts.cpp.
Facts facts_of(const Flid& model);

/// a_weight F_a + b_weight F_b, which is a FLID with the dimensions of both. Throws Error unless
/// both have the same number of items and both weights are finite and >= 0.
Flid sum_of(double a_weight, const Flid& a, double b_weight, const Flid& b);

}  // namespace surefield
