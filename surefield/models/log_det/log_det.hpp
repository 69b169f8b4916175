// Log determinant of a positive definite kernel: the determinantal point process p(S) ~ det L_S.
//
//   F(S) = log det L_S, F(empty) = 0                                    submodular
//   F(S + i) - F(S) = log(L_ii - L_iS L_S^-1 L_Si),  i not in S         log of a variance
//   F(S) - F(S - i) = -log((L_S^-1)_ii),             i in S
//
// No closed form is known for the multilinear extension m. The state *estimates* it: the mean of F
// over `samples` random sets (core/sampled_sets.hpp), with the derivatives of that mean. Unbiased,
// exact at the corners of the cube; the standard error falls as 1/sqrt(samples). Bounds computed
// from an estimate are estimates too.
//
// Cost: one Cholesky per distinct set that has changed since the last question, O(n r^2), gives all
// n gains; r is the number of elements in or out of the set, whichever is less (by the inverse
// kernel; always in, if the kernel is ill-conditioned). Then partial O(samples), set O(samples);
// memory 8 n samples bytes per state. Exact log Z: bounds/log_z/exact/dpp.hpp.
//
// A. Kulesza, B. Taskar. Determinantal Point Processes for Machine Learning. Foundations and Trends
// in Machine Learning, 2012.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/sampled_sets.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

struct LogDet {
  static constexpr std::string_view kKind = "log-det";
  static constexpr bool kEstimated = true;  ///< states are sample means, not exact extensions
  class State;
  class Set;

  Eigen::MatrixXd kernel;  ///< symmetric positive definite
  Index samples = 1000;    ///< of the estimated extension
  std::uint64_t seed = 1;

  Index size() const { return static_cast<Index>(kernel.rows()); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
};

/// The mean of F over the sampled sets. Questions refresh what has changed, so one state must not
/// be asked by two threads at once; copies are independent. The same point gives the same bits,
/// whatever moves led to it.
class LogDet::State {
 public:
  State(const LogDet& model, std::span<const double> x);

  Index size() const { return sets_.size(); }
  double coordinate(Index i) const { return sets_.coordinate(i); }
  double partial(Index i) const;
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v) {
    sets_.set(i, v, [this](Index k) { stale_[k] = 1, any_stale_ = true; });
  }

 private:
  void refresh() const;         // every stale sample
  void refresh(Index k) const;  // one sample: its Cholesky, log determinant and gains

  const LogDet* model_;
  std::shared_ptr<const Eigen::MatrixXd> inverse_;  // of the kernel, unless it is ill-conditioned
  double whole_ = 0;                                // log det of the kernel
  SampledSets sets_;
  mutable std::vector<std::uint8_t> stale_;
  mutable bool any_stale_ = true;
  mutable Eigen::MatrixXd gains_;  // of element i (row) in sample k (column)
  mutable std::vector<double> log_dets_;
};

/// Exact, by rows W = C^-1 L_S: with C the Cholesky factor of L_S. gain O(|S|) outside and O(|S|^2)
/// inside, add and remove O(n |S|), value O(|S|). An element leaves by rotations, which are stable:
/// nothing drifts, nothing is refactored.
class LogDet::Set {
 public:
  explicit Set(const LogDet& model) : model_(&model), place_(model.size(), kOutside) {}

  Index size() const { return place_.size(); }
  bool contains(Index i) const { return place_[i] != kOutside; }
  double gain(Index i) const;
  double value() const;
  void add(Index i);
  void remove(Index i);

 private:
  static constexpr Index kOutside = static_cast<Index>(-1);

  double conditional_variance(Index i) const;  // of i given the members

  const LogDet* model_;
  std::vector<Index> members_;             // in the order of the rows
  std::vector<Index> place_;               // of an element among the members
  std::vector<std::vector<double>> rows_;  // rows_[r][members_[c]] is C(c, r), zero for c < r
};

/// Throws Error unless the kernel is square, finite, symmetric and positive definite, and samples
/// >= 1.
LogDet make_log_det(Eigen::MatrixXd kernel, Index samples = 1000, std::uint64_t seed = 1);

/// Always nothing: log det of a positive definite kernel is submodular.
std::optional<std::string> submodularity_violation(const LogDet& model);

/// Sizes, rounding and submodularity, proved in log_det_facts.cpp. O(n^3).
Facts facts_of(const LogDet& model);

}  // namespace surefield
