// Sure coverage with contested items, `generate contested-coverage`: the certified gap of the best ELBO within some seconds each, for every
// number of items and inverse temperature.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct SureCoverageOptions {
  std::vector<Index> sizes = {40, 100};
  std::vector<double> betas = {1, 3};
  std::uint64_t seed = 1;
  double seconds = 60;       ///< to certify, a problem
  double wanted_gap = 1e-2;  ///< relative
  Budget budget = {};
  ProgressReport progress = {};
};

struct SureCoverageRow {
  Index n = 0;
  double beta = 0, elbo = 0, upper_bound = 0;
  std::string bound_method;
  double seconds = 0;

  double gap() const;  ///< (upper bound - ELBO) / |ELBO|
};

struct SureCoverage {
  std::vector<SureCoverageRow> rows;
  bool complete = true;  ///< false if it was told to stop
  double seconds = 0;
};

SureCoverage sure_coverage(const SureCoverageOptions& options);

std::string sure_coverage_text(const SureCoverage& study);
std::string sure_coverage_csv(const SureCoverage& study);
std::string sure_coverage_json(const SureCoverage& study);

}  // namespace surefield
