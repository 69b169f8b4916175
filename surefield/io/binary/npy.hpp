// One-dimensional arrays of numbers as NumPy writes them (`.npy`), which any Python opens without us:
// `numpy.load("marginals.npy", mmap_mode="r")`.
//
//   bytes 0-5    \x93NUMPY        6, 7  version 1.0 (2.0 and 3.0 are read too)
//   bytes 8, 9   length of the header text, so that the numbers start at a multiple of 64
//   header       {'descr': '<f8', 'fortran_order': False, 'shape': (3,), }
//
// Little-endian numbers only, which is what this program runs on. https://numpy.org/neps/nep-0001-npy-format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "surefield/core/error.hpp"
#include "surefield/io/binary/mapped_file.hpp"

namespace surefield {

struct NpyHeader {
  std::string type;         ///< as NumPy calls it: <f8, <u8, <u4
  std::uint64_t count = 0;  ///< numbers
  std::size_t offset = 0;   ///< where they start in the file
};

/// Throws Error, naming the file, for anything but an array of one dimension.
NpyHeader parse_npy_header(std::string_view bytes, std::string_view name);

/// What goes before the numbers; always 128 bytes.
std::string npy_header_text(std::string_view type, std::uint64_t count);

template <class T>
constexpr std::string_view npy_type() {
  if constexpr (std::is_same_v<T, double>) return "<f8";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "<u8";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "<u4";
}

/// An array in a file.
class NpyArray {
 public:
  /// Throws Error unless the file holds just as many numbers as its header says.
  explicit NpyArray(const std::string& path);

  const std::string& type() const { return header_.type; }
  std::uint64_t count() const { return header_.count; }
  void forget_pages() const { file_.forget_pages(); }

  /// All numbers, valid as long as this. Throws Error if they are of another type.
  template <class T>
  std::span<const T> values() const {
    require(type() == npy_type<T>(), path_, ": its numbers are ", type(), ", which must be ",
            npy_type<T>());
    return {reinterpret_cast<const T*>(file_.bytes().data() + header_.offset),
            static_cast<std::size_t>(header_.count)};
  }

 private:
  std::string path_;
  MappedFile file_;
  NpyHeader header_;
};

}  // namespace surefield
