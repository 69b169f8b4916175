// A Result as JSON: one object, versioned, with everything needed to draw it. Numbers read back to
// the same bits.
#pragma once

#include <string>

#include "surefield/core/log_z_result.hpp"
#include "surefield/core/result.hpp"

namespace surefield {

/// With `of_sets`, "set_marginals": the ends of P(i in S) under p(S) itself, null where they are not known.
std::string result_json(const Result& result, const LogZResult* of_sets = nullptr);

}  // namespace surefield
