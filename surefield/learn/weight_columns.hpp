// The weights of a FLID or an FLDC as one table: a row an item, its D dimensions first, then its E concepts.
//
//   F(S) = sum_{i in S} u_i + sum_c sign_c (max_{i in S} T_ic - sum_{i in S} T_ic)      sign: 1 of a dimension, -1 of a concept
//
// What learns a FLID learns an FLDC by it: derivatives by T differ in their sign alone.
#pragma once

#include <utility>
#include <vector>

#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

inline Index columns_of(const Flid& model) { return model.dimensions; }
inline Index columns_of(const Fldc& model) { return model.dimensions + model.concepts; }

inline double entry_of(const Flid& model, Index i, Index c) { return model.weight(i, c); }
inline double entry_of(const Fldc& model, Index i, Index c) {
  return c < model.dimensions ? model.weight(i, c) : model.together(i, c - model.dimensions);
}

inline double sign_of(const Flid&, Index) { return 1; }
inline double sign_of(const Fldc& model, Index c) { return c < model.dimensions ? 1 : -1; }

/// The facility location that holds what every item costs, its weights and coherences included.
inline const FacilityLocation& costs_of(const Flid& model) { return model.facility; }
inline const FacilityLocation& costs_of(const Fldc& model) { return model.best_weight; }

/// The model of a table of D + E columns; a FLID has no concepts.
template <class M>
M model_of_table(std::vector<double> utility, std::vector<double> table, Index dimensions,
                 Index concepts);
template <>
inline Flid model_of_table<Flid>(std::vector<double> utility, std::vector<double> table,
                                 Index dimensions, Index) {
  return make_flid(std::move(utility), std::move(table), dimensions);
}
template <>
inline Fldc model_of_table<Fldc>(std::vector<double> utility, std::vector<double> table,
                                 Index dimensions, Index concepts) {
  const Index columns = dimensions + concepts;
  std::vector<double> weights, coherence;
  for (Index k = 0; k < table.size(); ++k)
    (k % columns < dimensions ? weights : coherence).push_back(table[k]);
  return make_fldc(std::move(utility), std::move(weights), dimensions, std::move(coherence),
                   concepts);
}

}  // namespace surefield
