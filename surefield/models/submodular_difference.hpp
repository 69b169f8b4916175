// F of any sign as a difference of two submodular functions, F = added - taken.
//
//   pairwise field, cut   couplings <= 0 | minus those > 0         monomials, hyperedges likewise
//   fldc                  its best weights | its best coherences
//   sum                   the parts of every term; those of a negative weight change sides
//   submodular            itself | nothing
//
// The gain of an item in F on any set between S and T lies in [added(j|T) - taken(j|S), added(j|S) -
// taken(j|T)], so whatever is proved from falling gains is proved for F from those of the two parts.
// Every function is such a difference (M. Narasimhan, J. Bilmes. A submodular-supermodular procedure.
// UAI 2005); here only one that can be read off is given. Cost: a copy of the model.
#pragma once

#include <optional>

#include "surefield/models/any_model.hpp"

namespace surefield {

struct SubmodularDifference {
  AnyModel added;
  std::optional<AnyModel> taken;  ///< none: F is submodular itself
};

/// Nothing where no such parts are known: a black box that is not submodular, best items of values < 0,
/// concave groups of negative weight in a model of others.
std::optional<SubmodularDifference> submodular_difference(const AnyModel& model);

/// Of beta F, with what rounding does to the parts it is computed from as well; submodular as both parts are.
Facts facts_with_parts(const AnyModel& model, const SubmodularDifference& parts, double beta);

}  // namespace surefield
