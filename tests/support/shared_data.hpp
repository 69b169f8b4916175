// Public data outside the project: the folder named by SUREFIELD_DATA, else ../shared/data beside
// the project.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace surefield::testing {

inline std::filesystem::path shared_data(const std::string& inside = "") {
  const char* const folder = std::getenv("SUREFIELD_DATA");
  const std::filesystem::path root =
      folder != nullptr ? std::filesystem::path(folder)
                        : std::filesystem::path(SUREFIELD_SOURCE_DIR) / ".." / "shared" / "data";
  return root / inside;
}

/// The files of a folder whose names end so, in order.
inline std::vector<std::filesystem::path> shared_files(const std::string& folder,
                                                       const std::string& ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(shared_data(folder)))
    if (entry.path().string().ends_with(ending)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace surefield::testing

/// Skips the test, and says so, where the folder or file is not there.
#define SUREFIELD_NEEDS_DATA(inside)                                     \
  if (!std::filesystem::exists(surefield::testing::shared_data(inside))) \
  GTEST_SKIP() << surefield::testing::shared_data(inside) << " is not there; set SUREFIELD_DATA"
