// The best set of a problem, of any size or of at most k items, held to the greatest of all values.
#pragma once

#include <bit>
#include <limits>
#include <optional>
#include <string>

#include "surefield/api/best_set.hpp"
#include "tests/torture/field_checks.hpp"

namespace surefield::torture {

class BestSetChecks : protected FieldChecks {
 protected:
  using FieldChecks::FieldChecks;

  void check_best_set(const Problem& problem) {
    BestSetOptions how;
    Index in = 0;
    for (Index i = 0; i < given_.sets.size(); ++i) in += given_.sets.low[i] == 1;
    if (random_.chance(0.4)) how.most = in + random_.below(truth_->n + 1);
    how.seed = random_.bits();
    const std::string name = how.most ? "best_set of a size" : "best_set";
    const auto found = asked(name, [&](const Budget& budget) {
      how.budget = budget;
      return best_set(problem, how);
    });
    if (!found) return;
    if (found->status == Status::kFailed) {
      if (assumption_fails_)
        ++tally_.refuted;
      else if (beyond(problem))
        ++tally_.nothing_claimed;
      else
        wrong(name + ": " + (found->notes.empty() ? "failed" : found->notes.back()));
      return;
    }
    Quad best = -std::numeric_limits<double>::infinity();
    std::size_t chosen = 0;
    for (const Index i : found->items) chosen |= std::size_t{1} << i;
    bool allowed = false;
    for (std::size_t code = 0; code < truth_->values.size(); ++code) {
      if (how.most && static_cast<Index>(std::popcount(code)) > *how.most) continue;
      bool inside = true;
      for (Index i = 0; i < truth_->n; ++i)
        inside = inside && given_.sets[i].contains(static_cast<double>(code >> i & 1));
      if (!inside) continue;
      allowed = allowed || code == chosen;
      best = std::max(best, truth_->values[code]);
    }
    if (!allowed) return wrong(name + ": the set is not one of those allowed");
    const long double off =
        2 * truth_->error + 1e-30L * static_cast<long double>(testing::size_of(best));
    const bool rests = found->basis == Basis::kAssumesSubmodular;
    at_least(found->lower, static_cast<long double>(truth_->values[chosen]), off,
             name + " lower by " + found->found_by);
    if (found->upper)
      at_most(*found->upper, static_cast<long double>(best), off,
              name + " upper by " + found->upper_method, rests);
  }
};

}  // namespace surefield::torture
