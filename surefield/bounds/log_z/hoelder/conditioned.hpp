// Bounds of log Z by cases: k items are settled in all 2^k ways, and the cases added up.
//
//   log Z = log sum_c e^{log Z_c}     >= log sum_c e^{mean field of case c}
//                                     <= log sum_c e^{Hoelder bound of case c}
//
// The items are those that are uncertain and pull at uncertain others; at the mean field x:
//
//   x_i (1 - x_i) sum_j H_ij^2 x_j (1 - x_j)       H_ij = g_j(x_i = 1) - g_j(x_i = 0), beta in
//
// Cases are independent; the result does not depend on the number of threads and helpers. Cost: 2^k times one
// mean field or Hoelder bound, and 2 n gradients for the choice.
#pragma once

#include <string_view>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/log_z/hoelder/hoelder.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct ConditionedOptions {
  double beta = 1;
  Index items = 4;  ///< k, at most 20; fewer if fewer are free
  Budget budget =
      {};  ///< its threads share the cases; once spent, Error: a part of the cases is no bound
  CoordinateAscentOptions ascent{.epochs = 1000, .tolerance = 1e-8};
  HoelderOptions hoelder{};  ///< its beta is not used
  std::vector<double> start =
      {};  ///< a mean field solution, if one is known; by default ascent from 1/2
  Helpers* helpers = nullptr;  ///< share the cases too; the result does not depend on them
};

struct ConditionedBound {
  double bound = 0;          ///< the side is in the name of the function
  std::vector<Index> items;  ///< those settled, the most important first
};

/// The k free items with the largest scores at the mean field solution, ties to the first.
std::vector<Index> conditioning_items(const AnyModel& model, const Box* box,
                                      const ConditionedOptions& options);

/// log Z(beta) over the sets of the box >= bound. Two starts a case, the solution without cases and
/// 1/2. Throws Error for more than 20 items, beta not finite and > 0, an interval that is not
/// [0, 1], 0 or 1, and a model whose extension is estimated only.
ConditionedBound conditioned_lower_bound(const AnyModel& model, const Box* box = nullptr,
                                         const ConditionedOptions& options = {});

/// log Z(beta) over the sets of the box <= bound, by the Hoelder bounds of the cases, or by the one
/// without cases where that is less, as it may be where a case falls into other pieces. Throws
/// Error as the lower bound and hoelder_bound do.
ConditionedBound conditioned_upper_bound(const AnyModel& model, const Box* box = nullptr,
                                         const ConditionedOptions& options = {});

/// What helpers answer for such bounds of another process, either side. Throws Error for bytes that are not the subject's.
inline constexpr std::string_view kCasesSubject = "cases";
Answerer cases_answerer(const AnyModel& model, std::string_view subject, const Budget& budget);

}  // namespace surefield
