// What a process can do for another that leads a search over the same problem: log Z (api/log_z.hpp) and certificates (api/certify.hpp).
//
// Every subject (core/helpers.hpp) that a search asks questions on has a row here, by the name of its method.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/core/helpers.hpp"

namespace surefield {

/// What all visits of a search over boxes know, beyond the model.
struct BoxSubject {
  double beta = 1;
  Box domain = {};
  double relative_gap = 0;
  PassRounding rounding = {};
  bool branches = true;            ///< of spectral bounds: more than one box
  std::vector<double> point = {};  ///< of parts: where the objective stands
};

inline auto fields_of(BoxSubject& subject) {
  auto& [beta, domain, relative_gap, rounding, branches, point] = subject;
  auto& [value, slope, lines] = rounding;
  return std::tie(beta, domain, relative_gap, value, slope, lines, branches, point);
}

/// The methods of searches over boxes.
inline constexpr const char* kBoxesSubject = "boxes";
inline constexpr const char* kPartsSubject = "boxes over parts";
inline constexpr const char* kPartBoundsSubject = "bounds of parts";  // its bytes: beta
inline constexpr const char* kCoversSubject = "boxes over covers";
inline constexpr const char* kDifferenceSubject = "boxes over differences";
inline constexpr const char* kSpectraSubject = "boxes over spectra";

/// Must not outlive the problem.
Answerers helpers_with(const Problem& problem);

}  // namespace surefield
