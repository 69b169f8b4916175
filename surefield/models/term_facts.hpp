// The facts of a model that shows its terms and says nothing else: the sizes of all terms added up,
// roundings counted generously, submodular if every term is.
//
//   pair, product   w <= 0        best, cover, cut, concave   w >= 0        linear, constant   any w
#pragma once

#include "surefield/models/any_model.hpp"

namespace surefield {

Facts facts_of_terms(const AnyModel& model);

}  // namespace surefield
