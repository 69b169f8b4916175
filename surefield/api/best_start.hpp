// The best of several runs on one box, with the least bound that any of them has proved: the box is the same, so each bound holds for all.
#pragma once

#include <utility>

#include "surefield/core/claim.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

class BestStart {
 public:
  /// `basis`: what the bounds of the runs rest on.
  explicit BestStart(Basis basis) : basis_(basis) {}

  void consider(Report report);

  const Report& report() const { return best_; }
  /// Whether another could be better: the best one was not cut short, and the bound is not its value but for rounding.
  bool is_open() const;
  Report take() && { return std::move(best_); }

 private:
  Basis basis_;
  Claim claim_{"the best ELBO"};
  bool any_ = false;
  Report best_;
};

}  // namespace surefield
