#include "surefield/io/read_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace surefield {
namespace {

constexpr std::size_t kStreamLimit = std::size_t{1} << 30;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

int leave_open(std::FILE*) { return 0; }

File opened(const std::string& path) {
  if (path == "-") {
    static std::atomic<bool> taken = false;
    require(!taken.exchange(true), "-: stdin has been read already; only one file can be -");
    return {stdin, &leave_open};
  }
  std::error_code ignored;
  require(!std::filesystem::is_directory(path, ignored), path,
          ": cannot be read: it is a folder, not a file");
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  require(file != nullptr, path, ": cannot be read: ", std::strerror(errno));
  return file;
}

}  // namespace

std::string read_file(const std::string& path) {
  const File file = opened(path);
  std::error_code ignored;
  const bool regular = path != "-" && std::filesystem::is_regular_file(path, ignored);
  const auto size = regular ? std::filesystem::file_size(path, ignored) : 0;
  std::string text;
  text.reserve(
      ignored ? 0 : size + 1);  // one more, so that the last read meets the end without growing
  std::string part(std::size_t{1} << 16, '\0');
  while (true) {
    const std::size_t got = std::fread(part.data(), 1, part.size(), file.get());
    text.append(part, 0, got);
    if (got < part.size()) break;
    require(regular || text.size() <= kStreamLimit, path,
            ": cannot be read: it does not end within ", kStreamLimit, " bytes");
  }
  require(std::ferror(file.get()) == 0, path, ": cannot be read: ", std::strerror(errno));
  return text;
}

}  // namespace surefield
