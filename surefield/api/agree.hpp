// Posterior agreement of models: how much mass their posteriors share, from both sides.
//
//   PA(beta) = log sum_S p'(S) p''(S)                      p = exp(beta F) / Z(beta); at most 0
//            = log Z+(beta) - log Z'(beta) - log Z''(beta)     Z+ of the sum F' + F''
//
//   pa_lower = lower(Z+) - upper(Z') - upper(Z'')          what is subtracted from below must be
//   pa_upper = upper(Z+) - lower(Z') - lower(Z'')          bounded from above, and the reverse
//   pa_elbo  = max_x beta (m'(x) + m''(x)) + H(x)          the PA-ELBO: a lower bound of log Z+,
//                                                          not of PA; what the paper's Table 1 has
//   pa_elbo_lower = pa_elbo - upper(Z') - upper(Z'')       what mean field alone proves of PA: the
//                                                          paper's "full lower bound", corrected
//
// A model's sets are those its box allows; Z+ is over the sets that both allow. The bound printed
// in the paper lacks the constants of the supergradients and exceeds PA; here every log Z is an
// interval by log_z.hpp, exact where that is cheap. Cost: three log Zs and one mean field.
//
// Y. Bian, J. Buhmann, A. Krause. Optimal Continuous DR-Submodular Maximization and Applications to
// Provable Mean Field Inference. ICML 2019. docs/posterior_agreement.md
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "surefield/api/log_z.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/result.hpp"

namespace surefield {

struct AgreeOptions {
  double inverse_temperature = 1;
  double width = 0.01;  ///< of the interval of PA; shared by the log Zs that are not exact
  double seconds = 10;  ///< at most, for each log Z by branch and bound
  std::uint64_t seed = 1;
  bool exact = true;          ///< exact methods for log Z; without, certified bounds only
  bool no_guarantee = false;  ///< allow a sum that is not log-submodular though both models are
  Budget budget = {};         ///< the answer does not depend on its threads, unless time runs out
  Crew* crew = nullptr;       ///< of agree_pairs: processes that share the pairs
};

/// What is known of PA. Empty where nothing is proved, or the objective is an estimate by sampling.
struct AgreementBounds {
  std::optional<double> pa_lower, pa_upper;
  bool pa_exact = false;         ///< all three log Zs are exact: both ends are PA, but for rounding
  Basis basis = Basis::kProved;  ///< of the weaker end
  std::optional<double> pa_elbo, pa_elbo_lower;

  /// Infinite where an end is missing.
  double width() const;
};

struct AgreeResult {
  /// Inference in the PA distribution p'(S) p''(S) / sum: marginals, elbo = PA-ELBO, its upper
  /// bound; the log Z is that of the sum.
  Result result;
  AgreementBounds bounds;
  LogZResult first, second, both;  ///< log Z', log Z'', log Z+
};

/// Throws Error as agreement_problem and log_z do, and Contradiction where bounds exclude each other.
AgreeResult agree(const Problem& first, const Problem& second, const AgreeOptions& options = {});

struct AgreeRow {
  Index first, second;
  AgreementBounds bounds;
  double seconds = 0;
};

struct AgreePairs {
  std::vector<LogZResult> log_z;  ///< of each model, made once
  std::vector<AgreeRow> rows;     ///< (0, 1), (0, 2), ..., (1, 2), ...
  /// Means over all pairs, empty unless every pair has the number. The mean PA is between the first
  /// two.
  std::optional<double> mean_lower, mean_upper, mean_elbo, mean_elbo_lower;
  bool exact = false;    ///< all rows are
  bool complete = true;  ///< the budget was not spent before the end
  double inverse_temperature = 1;
  double seconds = 0;

  /// The widest interval of a row; 0 without rows, infinite where an end is missing.
  double width() const;
};

/// All pairs of at least two models. Throws Error as `agree` does, naming the pair by its places.
AgreePairs agree_pairs(std::span<const Problem> problems, const AgreeOptions& options = {});

}  // namespace surefield
