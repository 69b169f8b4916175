#include "surefield/io/binary/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {

MappedFile::MappedFile(const std::string& path) {
  const auto cannot = [&path](const char* why) { fail(path, ": cannot be read: ", why); };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) cannot(std::strerror(errno));
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  void* place = nullptr;
  if (known && status.st_size > 0)
    place =
        ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_SHARED, file, 0);
  const int reason = errno;
  ::close(file);
  if (!known) cannot("it is not a regular file");
  if (place == MAP_FAILED && reason == ENOMEM)
    throw std::bad_alloc();  // it is not the file's fault
  if (place == MAP_FAILED) cannot(std::strerror(reason));
  data_ = static_cast<const std::byte*>(place);
  size_ = static_cast<std::size_t>(status.st_size);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::forget_pages() const {
  if (data_ != nullptr) ::madvise(const_cast<std::byte*>(data_), size_, MADV_DONTNEED);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

}  // namespace surefield
