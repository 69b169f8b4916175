// Sets drawn from p(S) ~ exp(beta F(S)): independent and exact where the model is submodular, or a
// difference of two such whose log Z a short search narrows enough; else by Gibbs sampling.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/budget.hpp"

namespace surefield {

struct SampleOptions {
  Index count = 10;
  std::string method = "auto";  ///< perfect, gibbs; auto: perfect where the model allows it
  double inverse_temperature = 1;
  std::uint64_t seed = 1;
  Budget budget = {};  ///< once spent, fewer sets come back
};

struct SampleResult {
  std::string method;                    ///< which it was, and what that means
  bool exact = false;                    ///< independent draws of exactly p(S)
  double acceptance = 1;                 ///< of the exact method: how many proposals were kept
  Basis basis = Basis::kProved;          ///< of exactness: whether F is only assumed submodular
  bool complete = true;                  ///< all sets asked for are there
  std::vector<std::vector<Index>> sets;  ///< in the user's variables, ascending
};

/// Throws Error where the method asked for does not apply.
SampleResult sample(const Problem& problem, const SampleOptions& options);

}  // namespace surefield
