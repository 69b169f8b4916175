// How many of the authors' problems are solved to the certified global optimum: every ELBO model,
// and the PA-ELBO of the first two folds of every category and dimension, or of all pairs of folds.
#pragma once

#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct CertifiedOptimaOptions {
  std::string folder;        ///< of FLID text files `<category>_flid_d_<D>_fold_<k>.txt`
  double seconds = 60;       ///< a problem, at most
  double wanted_gap = 1e-6;  ///< relative
  bool all_pairs = false;    ///< PA-ELBO of every pair of folds, instead of the first two
  std::vector<std::string> categories = {};  ///< only these; none: all
  Budget budget = {};                        ///< the answer does not depend on its threads
  ProgressReport progress = {};
  Crew* crew = nullptr;  ///< processes that share the problems
};

struct CertifiedOptimum {
  std::string name;      ///< of the model's file, or of both
  Index dimensions = 0;  ///< of one model
  bool agreement = false;
  double value = 0, upper_bound = 0, seconds = 0;

  double gap() const;  ///< (upper bound - value) / |value|
};

struct CertifiedOptima {
  std::vector<CertifiedOptimum> problems;
  std::vector<std::string> faults;  ///< what could not be read, and why
  bool complete = true;             ///< false if it was told to stop
  double seconds = 0;
};

/// A file that is damaged is reported and the rest still certified. Throws Error if the folder
/// holds no model.
CertifiedOptima certified_optima(const CertifiedOptimaOptions& options);

std::string certified_optima_text(const CertifiedOptima& optima);
std::string certified_optima_csv(const CertifiedOptima& optima);
std::string certified_optima_json(const CertifiedOptima& optima);

}  // namespace surefield
