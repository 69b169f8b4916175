#include "surefield/io/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "surefield/core/error.hpp"
#include "surefield/io/descriptor.hpp"

namespace surefield {
namespace {

namespace fs = std::filesystem;

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The first name of the form path.part0, path.part1, ... that no other writer holds.
int open_beside(const std::string& path, std::string& beside) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    beside = message(path, ".part", attempt);
    const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  const auto cannot = [&path] { fail(path, ": cannot be written: ", std::strerror(errno)); };
  std::error_code missing;
  const fs::file_status status = fs::status(path, missing);
  require(status.type() != fs::file_type::directory, path,
          ": cannot be written: it is a folder, not a file");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.get() < 0 || !write_all(out.get(), text) || !out.close()) cannot();
    return;
  }
  // Through a symbolic link the file it points to is replaced, not the link.
  const fs::path resolved = fs::exists(status) ? fs::canonical(path, missing) : fs::path(path);
  const std::string target = missing ? path : resolved.string();
  std::string beside;
  Descriptor out(open_beside(target, beside));
  if (out.get() < 0) cannot();
  const auto permissions = static_cast<mode_t>(status.permissions()) & 07777;
  const bool kept = !fs::exists(status) || ::fchmod(out.get(), permissions) == 0;
  const bool done = kept && write_all(out.get(), text) && ::fsync(out.get()) == 0 && out.close() &&
                    ::rename(beside.c_str(), target.c_str()) == 0;
  if (!done) {
    const int reason = errno;
    ::unlink(beside.c_str());
    errno = reason;
    cannot();
  }
  // The rename itself reaches the disk with its folder; a file system that cannot do that is no
  // reason to fail.
  const fs::path folder = fs::path(target).parent_path();
  Descriptor in(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() >= 0) ::fsync(in.get());
}

}  // namespace surefield
