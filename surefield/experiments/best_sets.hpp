// The best sets of public instances, certified, beside the best values known.
//
// Gset: the largest cut of G*.txt, beside best_known.txt. OR-Library: the smallest cover of scp*.txt, every column at cost 1, beside
// unicost_best_known.csv: F(S) = rows covered - |S|. Whatever S leaves uncovered one column more each covers at no loss, so max F = rows - the
// size of the smallest cover. Files lie in the folder, or in its folders maxcut_gset and orlib_scp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct BestSetsOptions {
  std::string folder;
  double seconds = 10;  ///< an instance
  double wanted_gap = 1e-6;
  std::uint64_t seed = 1;
  Budget budget = {};
  ProgressReport progress = {};
};

struct BestSetsRow {
  std::string name;
  Index n = 0;
  double value = 0;  ///< F of the set found
  std::string found_by = {};
  std::optional<double> upper = {};  ///< of max F
  std::string upper_method = {};
  std::optional<double> best_known = {};  ///< as published, of max F
  double seconds = 0;

  std::optional<double> gap() const;  ///< (upper - value) / max(1, |value|)
};

struct BestSets {
  std::vector<BestSetsRow> rows;
  std::vector<std::string> faults;  ///< files that could not be read
  bool complete = true;             ///< false if it was told to stop
  double seconds = 0;
};

/// Throws Error where the folder is not there or holds no such file.
BestSets best_sets(const BestSetsOptions& options);

std::string best_sets_text(const BestSets& sets);
std::string best_sets_csv(const BestSets& sets);
std::string best_sets_json(const BestSets& sets);

}  // namespace surefield
