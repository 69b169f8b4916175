// The public FLID models where SUREFIELD_DATA has them: `n D n_logz seconds`, the utilities, then a
// row of weights per item.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "surefield/models/flid/flid.hpp"

namespace surefield::testing {

inline std::filesystem::path data_folder() {
  const char* const folder = std::getenv("SUREFIELD_DATA");
  return folder ? std::filesystem::path(folder)
                : std::filesystem::path(SUREFIELD_SOURCE_DIR) / ".." / "shared" / "data";
}

inline std::optional<Flid> flid_of_file(const std::string& name) {
  std::ifstream file(data_folder() / "flid" / name);
  Index n = 0, dimensions = 0;
  double log_normaliser, seconds;
  if (!(file >> n >> dimensions >> log_normaliser >> seconds)) return std::nullopt;
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) file >> u;
  for (double& w : weights) file >> w;
  if (!file) return std::nullopt;
  return make_flid(utility, weights, dimensions);
}

}  // namespace surefield::testing
