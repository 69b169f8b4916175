// Sets drawn from p(S) ~ exp(beta F(S)): independent and exact where the model is submodular, else
// by Gibbs sampling.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"

namespace surefield {

struct SampleOptions {
  Index count = 10;
  std::string method = "auto";  ///< perfect, gibbs; auto: perfect where the model allows it
  double inverse_temperature = 1;
  std::uint64_t seed = 1;
  std::function<bool()> go_on = {};
};

struct SampleResult {
  std::string method;                    ///< which it was, and what that means
  bool exact = false;                    ///< independent draws of exactly p(S)
  double acceptance = 1;                 ///< of the exact method: how many proposals were kept
  std::vector<std::vector<Index>> sets;  ///< in the user's variables, ascending
};

/// Throws Error where the method asked for does not apply.
SampleResult sample(const Problem& problem, const SampleOptions& options);

}  // namespace surefield
