// A file seen as memory: pages are read when they are touched, so a file may be larger than memory, and
// several processes that read it share one copy.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace surefield {

class MappedFile {
 public:
  /// Throws Error, naming the file, if it cannot be read or is no regular file; std::bad_alloc where there is no room for it.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;

  /// Valid as long as this. A file that others shorten meanwhile ends the process, as it does every
  /// program that maps files.
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  /// Gives the memory back that its pages took; they are read again when touched.
  void forget_pages() const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace surefield
