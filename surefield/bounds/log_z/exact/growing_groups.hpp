// Sets of group models and determinants that only grow; growing_fields.hpp says how such sets are
// used.
//
//   GrowingFacilities    the best of every customer
//   GrowingCoherence     the best of every dimension, and that of every concept, which is taken away
//   GrowingCoverage      w_c prod_{i in S} (1 - p_ic) of every concept: no product is ever divided
//   GrowingConcave       the sum and the value of every group
//   GrowingDeterminant   the kernel of the lower items given S, L_R - L_RS L_S^-1 L_SR: one step of a Cholesky
//                        factorisation an item, O(k^2), so O(1) a set on average
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "surefield/bounds/log_z/exact/dense_facility.hpp"
#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/lane_sums.hpp"
#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield {

class GrowingFacilities {
 public:
  GrowingFacilities(const FacilityLocation& model, const FreeItems& which);

  double gain(Index k) const {
    const double* const w = model_->row(k);
    const double* const b = best_.data();
    const Index customers = model_->customers;
    const double gain =
        first_ ? sum_over_lanes<4>(customers, [=](Index d) { return w[d]; })
               : sum_over_lanes<4>(customers, [=](Index d) { return std::max(w[d] - b[d], 0.0); });
    return model_->modular[k] + gain;
  }
  void grow_from(const GrowingFacilities& smaller, Index k) {
    const double* const w = model_->row(k);
    const double* const b = smaller.best_.data();
    if (smaller.first_)
      std::copy_n(w, model_->customers, best_.data());
    else
      for (Index d = 0; d < model_->customers; ++d) best_[d] = std::max(b[d], w[d]);
    first_ = false;
  }

 private:
  std::shared_ptr<const DenseFacility> model_;
  std::vector<double> best_;
  bool first_;  // the set is empty and a benefit is negative: then the first item pays it
};

class GrowingCoherence {
 public:
  GrowingCoherence(const Fldc& model, const FreeItems& which)
      : added_(model.best_weight, which), taken_(model.best_coherence, which) {}

  double gain(Index k) const { return added_.gain(k) - taken_.gain(k); }
  void grow_from(const GrowingCoherence& smaller, Index k) {
    added_.grow_from(smaller.added_, k);
    taken_.grow_from(smaller.taken_, k);
  }

 private:
  GrowingFacilities added_, taken_;
};

class GrowingCoverage {
 public:
  GrowingCoverage(const Coverage& model, const FreeItems& which);

  double gain(Index k) const {
    double sum = -tables_->cost[k];
    for (const Entry& entry : tables_->of_item[k]) sum += entry.value * left_[entry.index];
    return sum;
  }
  void grow_from(const GrowingCoverage& smaller, Index k) {
    std::copy_n(smaller.left_.data(), tables_->open[k], left_.data());
    for (const Entry& entry : tables_->of_item[k]) left_[entry.index] *= 1 - entry.value;
  }

 private:
  struct Tables {
    std::vector<double> cost;
    std::vector<std::vector<Entry>> of_item;  // (concept, probability)
    std::vector<Index> open;                  // concepts with an item below k: they come first
  };
  std::shared_ptr<const Tables> tables_;
  std::vector<double> left_;
};

class GrowingConcave {
 public:
  GrowingConcave(const ConcaveOverModular& model, const FreeItems& which);

  double gain(Index k) const {
    double sum = tables_->modular[k];
    for (const Entry& entry : tables_->of_item[k]) {
      const Group& group = groups_[entry.index];
      sum += value_of(entry.index, group.sum + entry.value) - group.value;
    }
    return sum;
  }
  void grow_from(const GrowingConcave& smaller, Index k) {
    std::copy_n(smaller.groups_.data(), tables_->open[k], groups_.data());
    for (const Entry& entry : tables_->of_item[k]) {
      if (entry.index >= tables_->open[k]) continue;
      Group& group = groups_[entry.index];
      group.sum += entry.value;
      group.value = value_of(entry.index, group.sum);
    }
  }

 private:
  struct Group {
    double sum, value;
  };
  struct Tables {
    std::vector<double> modular;
    std::vector<ConcaveOverModular::Group> groups;  // by ascending lowest item
    std::vector<std::vector<Entry>> of_item;        // (group, m)
    std::vector<Index> open;                        // groups with an item below k
  };
  double value_of(Index g, double sum) const {
    const auto& [weight, shape] = tables_->groups[g];
    const bool root = shape.kind == Concave::Kind::kPower && shape.parameter == 0.5;
    return weight * (root ? std::sqrt(sum) : shape(sum));
  }

  std::shared_ptr<const Tables> tables_;
  std::vector<Group> groups_;
};

class GrowingDeterminant {
 public:
  GrowingDeterminant(const LogDet& model, const FreeItems& which);

  double gain(Index k) const { return std::log(variance(k)); }
  void grow_from(const GrowingDeterminant& smaller, Index k) {
    const double* const pivot_row = smaller.kernel_.data() + k * size_;
    const double scale = 1 / smaller.variance(k);
    for (Index j = 0; j < k; ++j) {
      const double factor = pivot_row[j] * scale;
      const double* const from = smaller.kernel_.data() + j * size_;
      double* const to = kernel_.data() + j * size_;
      for (Index l = 0; l <= j; ++l) to[l] = from[l] - factor * pivot_row[l];
    }
  }

 private:
  /// Positive in exact arithmetic; rounding may not make it anything else.
  double variance(Index k) const { return std::max(kernel_[k * size_ + k], (*floor_)[k]); }

  Index size_;
  std::vector<double> kernel_;  // rows of the lower triangle
  std::shared_ptr<const std::vector<double>> floor_;
};

}  // namespace surefield
