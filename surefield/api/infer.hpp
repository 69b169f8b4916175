// The front door of inference: a problem and an algorithm by name in, a Result out.
//
// Types are erased here, once a run: the model is visited, the algorithm runs on its own state
// type, and the value reported is recomputed from a state built afresh at the point returned. A
// difference above 1e-6 relative is Status::kFailed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/result.hpp"

namespace surefield {

struct InferOptions {
  std::string algorithm = "dg-mean-field-1/2";
  double inverse_temperature = 1;
  std::size_t epochs = 10000;     ///< at most, of coordinate ascent
  double tolerance = 1e-10;       ///< coordinate ascent has converged when nothing moves by more
  std::string order = "auto";     ///< natural; shuffled (by the seed); coloured (sparse fields: by classes that do not
                                  ///< interact); auto is coloured for large fields, natural otherwise
  std::string start = "low";  ///< of coordinate ascent: low, high, middle, random, within the box
  std::uint64_t seed = 1;
  bool trace = false;
  std::optional<double> seconds = {};  ///< stop after about so long, with the best point so far
  Observer observer = {};              ///< called after every epoch; returns whether to go on
};

/// The product distribution that approximates p(S) ~ exp(beta F(S)) best on the problem's box, as
/// far as the algorithm gets.
Result infer(const Problem& problem, const InferOptions& options);

}  // namespace surefield
