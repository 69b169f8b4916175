// Table 1 of the paper: one-epoch values of three algorithms on the ELBO of ten FLID models a
// category, and on the PA-ELBO of their 45 pairs, with the authors' random stream; then the columns
// the paper does not have, log Z among them.
//
// The models are the authors' own, as FLID text `<category>_flid_d_<D>_fold_<k>.txt`. A category
// with no file at all is left out; a file that is missing or damaged is reported and the rest is
// still reproduced.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct Table1Options {
  std::string folder;
  bool only_published = false;  ///< leave out the columns the paper does not have
  std::optional<double> certify =
      {};  ///< seconds a problem for the certified optimum; none: no such column
  /// Seconds a problem for the certified interval of log Z. None: only where it is exact and quick,
  /// the ELBO of D = 2, 3.
  std::optional<double> log_z = {};
  /// PA-ELBO: the printed table restarts the random stream for each category after the sixth; the
  /// values released with the code go on with one stream.
  bool released_stream = false;
  Budget budget = {};  ///< the answer does not depend on its threads
  ProgressReport progress = {};
  Crew* crew = nullptr;  ///< processes that share the problems
};

/// One value of one algorithm on one problem.
struct Table1Value {
  std::string category;
  Index items = 0, dimensions = 0;
  /// The paper's names; ours by their names on the command line; `log Z` for its interval.
  std::string_view solver;
  int fold = 0;
  int second_fold = 0;  ///< 0: an ELBO; else the PA-ELBO of both folds
  double value = 0;
  double upper_bound = 0;  ///< of solvers "optimum" and "log Z" only
  double seconds = 0;      ///< of the algorithms, the paper's and ours
};

struct Table1 {
  std::vector<Table1Value> values;  ///< ELBO first, in the order of the printed table
  std::vector<std::string> faults;  ///< what could not be read, and why
  double solver_seconds = 0;        ///< added up over the published algorithms
  std::vector<std::string>
      left_out;  ///< categories without a file, columns that were not asked for
  double seconds = 0;
  bool complete = true;  ///< false if it was told to stop
};

Table1 reproduce_table1(const Table1Options& options);

std::string table1_text(const Table1& table);
/// 17 digits; ELBO rows, then PA rows with a header of their own. The ends of log Z are two rows.
std::string table1_csv(const Table1& table);
std::string table1_json(const Table1& table);

}  // namespace surefield
