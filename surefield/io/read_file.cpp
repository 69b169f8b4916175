#include "surefield/io/read_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "surefield/io/open_file.hpp"

namespace surefield {
namespace {

constexpr std::size_t kStreamLimit = std::size_t{1} << 30;

}  // namespace

std::string read_file(const std::string& path) {
  const InputFile file = open_file(path);
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
