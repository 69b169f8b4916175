// A `.npy` array written in slices, front to back, without ever holding all of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "surefield/io/binary/npy.hpp"
#include "surefield/io/descriptor.hpp"

namespace surefield {

/// The bytes behind a NpyWriter: buffered, and every failure of the disk is told.
class ByteWriter {
 public:
  /// Throws Error if the file is there already or cannot be made.
  explicit ByteWriter(std::string path);

  void write(const void* data, std::size_t size);
  /// Flushes all to the disk and closes. Throws Error if anything failed, a full disk too.
  void close();
  const std::string& path() const { return path_; }

 private:
  void flush();

  std::string path_;
  Descriptor file_;
  std::vector<char> buffer_;
};

template <class T>
class NpyWriter {
 public:
  NpyWriter(const std::string& path, std::uint64_t count) : out_(path), left_(count) {
    const std::string header = npy_header_text(npy_type<T>(), count);
    out_.write(header.data(), header.size());
  }

  void write(std::span<const T> values) {
    require(values.size() <= left_, out_.path(), ": more numbers are written than were announced");
    left_ -= values.size();
    out_.write(values.data(), values.size_bytes());
  }
  void write(const std::vector<T>& values) { write(std::span<const T>(values)); }
  void write(T value) { write(std::span<const T>(&value, 1)); }

  /// Throws Error unless as many numbers have been written as were announced.
  void close() {
    require(left_ == 0, out_.path(), ": ", left_, " numbers fewer are written than were announced");
    out_.close();
  }

 private:
  ByteWriter out_;
  std::uint64_t left_;
};

/// A whole array in one step: written beside its place, then renamed onto it.
void write_npy(const std::string& path, std::span<const double> values);

}  // namespace surefield
