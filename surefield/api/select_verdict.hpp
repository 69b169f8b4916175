// What a selection comes to: which candidates each measure rules out, who is left, and the sentence that says so.
#pragma once

#include <vector>

#include "surefield/api/select.hpp"

namespace surefield {

/// Whether every fold has a value with two finite ends.
bool is_known(const std::vector<Interval>& values);

/// Given rows, `by`, folds and completeness: the choices, who is left, the winner and the verdict.
/// The measures are by candidate; one that is not known of a candidate cannot rule it out.
void decide(SelectResult& result, const std::vector<std::vector<Interval>>& agreement,
            const std::vector<std::vector<Interval>>& likelihood);

}  // namespace surefield
