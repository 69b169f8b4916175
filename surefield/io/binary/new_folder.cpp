#include "surefield/io/binary/new_folder.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "surefield/core/error.hpp"

namespace surefield {

namespace folders = std::filesystem;

NewFolder::NewFolder(std::string path, std::string_view mark) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  std::error_code ignored;
  if (folders::exists(path_, ignored))
    require(folders::is_regular_file(folders::path(path_) / mark, ignored), path_,
            ": cannot be written: something is there that is not a binary model");
  for (int attempt = 0; attempt < 1000; ++attempt) {
    beside_ = message(path_, ".part", attempt);
    if (::mkdir(beside_.c_str(), 0777) == 0) return;
    if (errno != EEXIST) break;
  }
  const int reason = errno;
  beside_.clear();
  fail(path_, ": cannot be written: ", std::strerror(reason));
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!kept_ && !beside_.empty()) folders::remove_all(beside_, ignored);
}

std::string NewFolder::file(std::string_view name) const {
  return (folders::path(beside_) / name).string();
}

void NewFolder::keep() {
  std::error_code ignored;
  const bool there = folders::exists(path_, ignored);
  const unsigned how = there ? RENAME_EXCHANGE : 0;
  if (::renameat2(AT_FDCWD, beside_.c_str(), AT_FDCWD, path_.c_str(), how) != 0)
    fail(path_, ": cannot be written: ", std::strerror(errno));
  kept_ = true;
  if (there) folders::remove_all(beside_, ignored);
}

}  // namespace surefield
