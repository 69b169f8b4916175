// Cuts and what is all but a cut, whose cycles are odd: the certified gap of the best ELBO within some seconds each, at beta = 1, 5 and 20, and how
// near the ELBO comes to beta times the best cut that is known, which a point mass would reach.
//
// The graphs: g05_60.0, g05_80.0 and pw05_100.0 of BiqMac (their best cuts in optimal_rudy.txt), G1, G14 and G22 of Gset (best_known.txt); those that are in the
// folder, or in its folders maxcut_biqmac and maxcut_gset. Then the hard random graphs of docs/edge_decomposition.md at beta = 1: couplings U(-3, 0) on pairs drawn
// with probability 0.15 or 0.4, biases half the sum of |couplings| plus U(-1, 1), n = 40 and 60.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct CutsOptions {
  std::string folder;
  double seconds = 60;       ///< to certify one row
  double wanted_gap = 1e-3;  ///< relative
  std::vector<double> betas = {1, 5, 20};
  std::vector<Index> random_sizes = {40, 60};
  Budget budget = {};
  ProgressReport progress = {};
};

struct CutsRow {
  std::string name;
  Index n = 0;
  double beta = 1;
  double elbo = 0;
  std::optional<double> upper_bound = {};  ///< of the best ELBO
  std::string bound_method = {};
  std::optional<double> best_cut = {};  ///< the best that is known
  double seconds = 0;

  std::optional<double> gap() const;    ///< (upper bound - ELBO) / max(1, |ELBO|)
  std::optional<double> share() const;  ///< ELBO / (beta best cut)
};

struct Cuts {
  std::vector<CutsRow> rows;
  std::vector<std::string> faults;  ///< files that could not be read
  bool complete = true;             ///< false if it was told to stop
  double seconds = 0;
};

/// Throws Error where the folder is not there or holds none of the graphs.
Cuts cuts(const CutsOptions& options);

std::string cuts_text(const Cuts& cuts);
std::string cuts_csv(const Cuts& cuts);
std::string cuts_json(const Cuts& cuts);

}  // namespace surefield
