// F as concepts, pairs and items:
//
//   F(S) = constant + sum_i linear_i [i in S] + sum_ij w_ij [i and j in S] + sum_c w_c (1 - prod_{i in S} (1 - p_ic)),   w_c >= 0
//
// Coverage, fields, and sums of them. Cost: O(terms).
#pragma once

#include <optional>
#include <vector>

#include "surefield/core/incidence.hpp"
#include "surefield/models/any_model.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct CoverTerms {
  struct Cover {
    double weight;
    std::vector<Entry> members;  ///< item and chance; two or more, no chance is 0
  };

  double constant = 0;
  std::vector<double> linear;
  std::vector<Edge> pairs;
  std::vector<Cover> covers;

  Index size() const { return linear.size(); }
};

/// inverse_temperature * F. Nothing where there is a term of another kind, or a concept of weight < 0.
std::optional<CoverTerms> cover_terms(const AnyModel& model, double inverse_temperature = 1);

}  // namespace surefield
