// Whether a model is, or is made of, functions written in Python: those run in the calling thread only.
#pragma once

#include "surefield/models/any_model.hpp"

namespace surefield::python {

bool is_python_code(const AnyModel& model);

}  // namespace surefield::python
