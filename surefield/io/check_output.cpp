#include "surefield/io/check_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "surefield/core/error.hpp"

namespace surefield {

void check_output(const std::string& path, std::span<const std::string> inputs) {
  namespace files = std::filesystem;
  if (path.empty() || path == "-") return;
  std::error_code missing;
  const files::file_status status = files::status(path, missing);
  require(status.type() != files::file_type::directory, path,
          ": cannot be written: it is a folder, not a file");
  for (const std::string& input : inputs) {
    std::error_code apart;
    require(input.empty() || input == "-" || !files::equivalent(path, input, apart) || apart, path,
            ": it is read by this command (", input,
            "), so it cannot be written; name another file");
  }
  if (files::exists(status) && !files::is_regular_file(status)) {  // a pipe, a terminal
    require(::access(path.c_str(), W_OK) == 0, path, ": cannot be written: ", std::strerror(errno));
    return;
  }
  // A file is written beside its place and renamed, so it is the folder that must be open.
  const files::path target =
      files::exists(status) ? files::canonical(path, missing) : files::path(path);
  std::string folder = target.parent_path().string();
  if (folder.empty()) folder = std::string(".");
  require(files::is_directory(folder, missing), path, ": cannot be written: there is no folder ",
          folder);
  require(::access(folder.c_str(), W_OK | X_OK) == 0, path, ": cannot be written: the folder ",
          folder, ": ", std::strerror(errno));
}

}  // namespace surefield
