// A determinantal point process from sets, by maximum likelihood.
//
//   L = V V' + diag(e^s + floor)        V: items x features, s: one number an item
//   J = (1/N) sum_S log det L_S - log det(I + L)
//   G = dJ/dL = (1/N) sum_S [L_S^-1] - (I + L)^-1,   dJ/dV = 2 G V,   dJ/ds_i = G_ii e^{s_i}
//
// [.] puts a block back at the rows and columns of S. Limited-memory BFGS; J is not concave, so
// this is a local maximum. The floor keeps every block invertible where items never meet. Smoothing
// adds, to the N sets, half of its weight as empty sets and half as single items shared out evenly:
// without it an item in no set or in every set would drive L to 0 or infinity. Empty sets of the
// data are sets like any other.
//
// Cost: an evaluation O(n^2 (n + features) + sum |S|^3) over the distinct sets; 100 items, 16000
// sets: seconds. Sets are added up in at most 16 parts, which threads and processes share, and parts in their order: the same bits
// whoever did them.
//
// A. Kulesza, B. Taskar. Determinantal Point Processes for Machine Learning. Foundations and Trends
// in Machine Learning, 2012. M. Gartrell, U. Paquet, N. Koenigstein. Low-Rank Factorization of
// DPPs. AAAI 2017.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield {

struct DppFitOptions {
  Index features = 10;            ///< columns of V, at least 1
  std::size_t iterations = 1000;  ///< of BFGS, at most
  double tolerance = 1e-7;        ///< ten iterations that gain less end it
  double smoothing = 1;           ///< sets added, > 0
  std::uint64_t seed = 1;         ///< of the first V
  /// After every evaluation, with J there; whether to go on.
  std::function<bool(std::size_t evaluations, double objective)> observer = {};
  /// Once it is spent the best kernel so far is returned. Asked between sets, not within the
  /// factorisations of n x n matrices. The kernel does not depend on its threads, which share the sets.
  Budget budget = {};
  Crew* crew = nullptr;  ///< processes that share the sets of an evaluation
};

struct DppFit {
  LogDet model;
  double objective = 0;  ///< J, smoothing included; NaN where not even the start was evaluated
  double log_z = 0;      ///< log det(I + L), exact
  Status status = Status::kConverged;
  std::size_t evaluations = 0;
};

/// J and its gradient at (V row by row, s), for weighted sets. What fit_dpp maximises.
class DppLikelihood {
 public:
  DppLikelihood(DistinctSets sets, Index items, Index features, double smoothing,
                Crew* crew = nullptr);

  Index parameters() const { return items_ * (features_ + 1); }
  Eigen::MatrixXd kernel(std::span<const double> theta) const;
  /// NaN where the budget was spent on the way.
  double operator()(std::span<const double> theta, std::span<double> gradient,
                    const Budget& budget = {}) const;

 private:
  struct Part;
  /// What some of the sets add to J and to G, kernel l.
  Part part_of(Index first, Index last, const Eigen::MatrixXd& l, const Budget& budget) const;

  DistinctSets sets_;
  Crew* crew_;
  Index items_, features_;
  double total_ = 0;  // weight of all sets
  double floor_;
};

/// Throws Error for data that flat_sets refuses and options out of range.
DppFit fit_dpp(const SetCollection& data, const DppFitOptions& options = {});

}  // namespace surefield
