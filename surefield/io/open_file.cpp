#include "surefield/io/open_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

int leave_open(std::FILE*) { return 0; }

}  // namespace

InputFile open_file(const std::string& path) {
  if (path == "-") {
    static std::atomic<bool> taken = false;
    require(!taken.exchange(true), "-: stdin has been read already; only one file can be -");
    return {stdin, &leave_open};
  }
  std::error_code ignored;
  require(!std::filesystem::is_directory(path, ignored), path,
          ": cannot be read: it is a folder, not a file");
  InputFile file(std::fopen(path.c_str(), "rb"), &std::fclose);
  require(file != nullptr, path, ": cannot be read: ", std::strerror(errno));
  return file;
}

}  // namespace surefield
