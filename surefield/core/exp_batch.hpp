// e^z of many numbers at once, by vector instructions where the machine has them.
//
// The same bits on every machine: one branch-free formula without fused operations, whatever the
// vector width. Within 2 ulp of the exact value for -707 <= z <= 709; below, 0; above, what it is
// at 709, so that sums and products of a few stay finite: ask for nothing above. A NaN stays NaN.
// Cost: about 1 ns a number.
#pragma once

#include <span>

namespace surefield {

void exp_batch(std::span<double> z);

}  // namespace surefield
