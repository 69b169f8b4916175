// Fields with couplings of both signs, where no algorithm has a guarantee: the certified gap of the best ELBO and the interval of
// log Z within some seconds each.
//
// The fields: Grids_*.uai with their evidence, testfast.fg of libDAI, and random ones of n = 20, 50, 100 nodes: biases 1 or -1, every second pair
// coupled by 1 or -1. Files lie in the folder, or in its folders uai and fg.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct MixedSignsOptions {
  std::string folder;
  double seconds = 10;       ///< for the ELBO of a field, and as many for its log Z
  double wanted_gap = 1e-3;  ///< relative, of the ELBO
  std::vector<Index> random_sizes = {20, 50, 100};
  Budget budget = {};
  ProgressReport progress = {};
};

struct MixedSignsRow {
  std::string name;
  Index n = 0;
  double elbo = 0;
  std::optional<double> upper_bound = {};  ///< of the best ELBO
  std::string bound_method = {};
  std::optional<double> log_z_lower = {}, log_z_upper = {};
  bool log_z_exact = false;
  double seconds = 0;

  std::optional<double> gap() const;  ///< (upper bound - ELBO) / max(1, |ELBO|)
};

struct MixedSigns {
  std::vector<MixedSignsRow> rows;
  std::vector<std::string> faults;  ///< files that could not be read
  bool complete = true;             ///< false if it was told to stop
  double seconds = 0;
};

/// Throws Error where the folder is not there or holds no such file.
MixedSigns mixed_signs(const MixedSignsOptions& options);

std::string mixed_signs_text(const MixedSigns& fields);
std::string mixed_signs_csv(const MixedSigns& fields);
std::string mixed_signs_json(const MixedSigns& fields);

}  // namespace surefield
