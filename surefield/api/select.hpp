// How many dimensions, and which inverse temperature: FLIDs trained on folds of the data, compared
// by posterior agreement and by held-out likelihood.
//
//   candidate (D, beta)     p_k ~ exp(beta F_k), F_k trained on the sets outside fold k, k = 1..K
//   agreement               mean over pairs a < b of log sum_S p_a(S) p_b(S)            needs no held-out data
//   likelihood              mean over folds k of log p_k, per set of fold k             of sets that are not empty, if none is
//
// Both are intervals, since log Z is known from both sides (api/log_z.hpp), and both vary
// with the fold, which the jackknife measures (learn/selection.hpp). What leads by a measure, or
// cannot be told from what leads, is not ruled out by it. A candidate wins if it alone is left;
// else the verdict says what is left and names the plainest: fewest dimensions, then the smallest
// beta. Agreement rewards models that are sure of themselves, likelihood those that fit; by default
// both have a say.
//
// Cost: K trainings a D, as far as `work` pays for them (api/select_training.hpp); K + K (K - 1)/2 log Zs a candidate. Threads share
// the trainings and the log Zs. Of a deadline the trainings have three fifths, each an equal part of what is left, and the best so far
// of each is taken; every log Z has an equal part of the rest.
//
// J. Buhmann. Information theoretic model validation for clustering. ISIT 2010; Y. Bian, J.
// Buhmann, A. Krause. ICML 2019.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/paid_rounds.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/noise_contrastive.hpp"
#include "surefield/learn/selection.hpp"
#include "surefield/models/at_inverse_temperature.hpp"

namespace surefield {

struct SelectOptions {
  std::vector<Index> dimensions = {0, 1, 2, 3, 5, 10};  ///< 0: every item by itself
  std::vector<double> inverse_temperatures = {1};
  Index folds = 5;
  /// What decides. Both: only what neither of the two rules out can win.
  enum class By { kBoth, kAgreement, kLikelihood } by = By::kBoth;
  NceOptions training = {.starts = 3};  ///< its dimensions, seed and budget are set here
  double width = 0.01;                  ///< of the interval of one agreement or likelihood
  double seconds = 10;                  ///< at most, for one log Z
  RoundsWork work = {.operations = 6e11, .fewest = 5};  ///< of all trainings together
  std::optional<double> deadline = {};                  ///< seconds, for everything
  std::uint64_t seed = 1;
  /// Once it is spent only what is finished is compared. The answer does not depend on its threads,
  /// unless a log Z runs out of time.
  Budget budget = {};
  Crew* crew = nullptr;                       ///< processes that share the trainings and the log Zs
  std::function<void(double)> progress = {};  ///< the share of the work done; from any thread
};

struct SelectRow {
  Index dimensions = 0;
  double inverse_temperature = 1;
  /// None where some log Z that it takes has no certified end, and so nothing is known.
  std::optional<Summary> agreement, likelihood;
  double seconds = 0;  ///< of training and log Zs, added up over threads
};

struct SelectResult {
  std::vector<SelectRow> rows;  ///< by D, then beta, ascending
  /// Among the rows that have the measure; none where no row has.
  std::optional<Choice> by_agreement, by_likelihood;
  SelectOptions::By by = SelectOptions::By::kBoth;
  /// Rows not ruled out, ascending; none where the two measures contradict. A measure that a row
  /// does not have does not rule it out.
  std::vector<Index> left;
  bool decided = false;  ///< one row is left
  /// The plainest row that is left; where none is, of those that likelihood leaves.
  Index winner = 0;
  std::string verdict;             ///< in one sentence
  std::vector<std::string> notes;  ///< what was done with less than was asked for
  NceOptions training;             ///< starts, epochs and noise of every training, as paid
  Index sets = 0, items = 0, folds = 0;
  bool complete = true;  ///< false: told to stop; only the rows finished by then, nothing decided
  double seconds = 0;
};

/// Throws Error for data that training refuses, no or repeated candidates, fewer than two folds or
/// more than sets, TooMuch where `work` does not pay for the fewest epochs of use; and, before anything is trained, where there are so many items that of no
/// candidate's log Z both ends could be had.
SelectResult select_model(const SetCollection& data, const SelectOptions& options);

}  // namespace surefield
