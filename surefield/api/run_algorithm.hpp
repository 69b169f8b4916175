// One algorithm on the ELBO of one model, both known by name only until here.
#pragma once

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/infer.hpp"

namespace surefield {

/// The point, its running value, the least certificate of the passes made, and the trace.
Report run_algorithm(const Problem& problem, const InferOptions& options,
                     const AlgorithmRow& algorithm, const Observer& observer);

}  // namespace surefield
