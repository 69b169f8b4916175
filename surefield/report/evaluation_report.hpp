// How good a model is on held-out sets, as text, JSON and CSV. What is not known is null, never a
// number.
//
// CSV: measure,scorer,lower,upper,standard_error,count with lower == upper where the value is a
// point.
#pragma once

#include <string>

#include "surefield/api/evaluate.hpp"

namespace surefield {

std::string evaluation_text(const Evaluation& evaluation);
std::string evaluation_json(const Evaluation& evaluation);
std::string evaluation_csv(const Evaluation& evaluation);

}  // namespace surefield
