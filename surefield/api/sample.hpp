// Sets drawn from p(S) ~ exp(beta F(S)), independent and exact where that can be: by elimination where its tables are small
// (exact/conditional_tree.hpp); else, where the model is submodular or a difference of two such, by rejection from a tree that bounds log Z
// (sampling/perfect_sampling.hpp); else by Gibbs sampling. The tree is given up where it narrows too slowly and keeps no draw of a trial, told by
// splits and draws, not by the clock: the same sets on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/budget.hpp"

namespace surefield {

struct SampleOptions {
  Index count = 10;
  std::string method = "auto";  ///< perfect, gibbs; auto: perfect where that ends
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
