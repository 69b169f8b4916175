// How many of the authors' problems are solved to the certified global optimum: every ELBO model, and the PA-ELBO of the first
// two folds of every category and dimension.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct CertifiedOptimaOptions {
  std::string folder;        ///< of FLID text files `<category>_flid_d_<D>_fold_<k>.txt`
  double seconds = 60;       ///< a problem, at most
  double wanted_gap = 1e-6;  ///< relative
  unsigned threads = 1;
  std::function<bool()> go_on = {};
};

struct CertifiedOptimum {
  std::string name;      ///< of the model's file, or of both
  Index dimensions = 0;  ///< of one model
  bool agreement = false;
  double value = 0, upper_bound = 0, seconds = 0;

  double gap() const;  ///< (upper bound - value) / |value|
};

std::vector<CertifiedOptimum> certified_optima(const CertifiedOptimaOptions& options);

std::string certified_optima_text(const std::vector<CertifiedOptimum>& optima);
std::string certified_optima_csv(const std::vector<CertifiedOptimum>& optima);

}  // namespace surefield
