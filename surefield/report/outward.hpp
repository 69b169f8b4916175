// A bound as text that is still a bound: a lower end rounded down, an upper end rounded up.
//
// Exact: the decimal text, as a real number, is on the right side of the double and less than one
// unit of its last digit away; a double that has so few digits itself is written as it is. From the
// full decimal expansion, so a few microseconds a number: for reports, not for loops.
#pragma once

#include <optional>
#include <string>

namespace surefield {

/// With so many digits after the point. Infinities and NaN as "inf", "-inf", "nan"; never "-0.00".
std::string round_down_text(double value, int digits);
std::string round_up_text(double value, int digits);

/// With so many significant digits, at least 1; 1.3e-07 below 1e-4, all its digits before the point.
/// Only for values >= 0: widths and errors, of which one says "at most".
std::string round_up_significant(double value, int digits);

/// The same, "not known" where there is none.
std::string round_down_text(const std::optional<double>& value, int digits);
std::string round_up_text(const std::optional<double>& value, int digits);

}  // namespace surefield
