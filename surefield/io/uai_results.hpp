// UAI evidence and result files.
//
//   .evid   `k variable value ...`, or first a line with the number of cases, then each case so;
//           empty or `0`: none
//   .PR     `PR` and the base 10 logarithm of Z
//   .MAR    `MAR`, then n and for every variable its number of states and their probabilities
//
// Everywhere else in this library log Z is natural.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

/// [0, 1] for every variable but the observed ones, which are fixed. Throws Error unless case
/// number `chosen` is there.
Box parse_uai_evidence(std::string_view text, std::string_view name, Index variables,
                       Index chosen = 0);
Box read_uai_evidence(const std::string& path, Index variables, Index chosen = 0);
/// The variables the box fixes at 0 or 1. Throws Error if it limits one in any other way.
std::string uai_evidence_text(const Box& box);

/// The natural logarithm of Z.
double parse_uai_log_z(std::string_view text, std::string_view name);
double read_uai_log_z(const std::string& path);
std::string uai_log_z_text(double natural_log_z);

/// P(x_i = 1) for every variable. Throws Error if a variable has not 2 states or its numbers do not
/// add up to 1 +- 0.01.
std::vector<double> parse_uai_marginals(std::string_view text, std::string_view name);
std::vector<double> read_uai_marginals(const std::string& path);
std::string uai_marginals_text(std::span<const double> marginals);

}  // namespace surefield
