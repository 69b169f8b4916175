// What every front door of log Z refuses, in the same words.
#pragma once

#include "surefield/core/box.hpp"

namespace surefield {

/// Throws Error where an interval is not [0, 1], 0 or 1.
void require_sets_of_log_z(const Box& box);
/// Throws Error unless it is finite and > 0.
void require_temperature_of_log_z(double inverse_temperature);
/// Throws Error unless it is > 0.
void require_width_of_log_z(double width);

}  // namespace surefield
