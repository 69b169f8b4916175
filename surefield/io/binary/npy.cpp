#include "surefield/io/binary/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "surefield/io/text_scanner.hpp"

static_assert(std::endian::native == std::endian::little,
              "arrays are read as they lie in the file");

namespace surefield {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kHeaderBytes = 128;

/// What stands behind a key of the header, up to the next comma outside brackets.
std::string_view value_of(std::string_view header, std::string_view key, std::string_view name) {
  const auto at = header.find(key);
  require(at != std::string_view::npos, name, ": its .npy header has no ", key);
  const auto from = header.find_first_not_of(": ", at + key.size());
  require(from != std::string_view::npos, name, ": its .npy header has nothing behind ", key);
  const auto to = header.find(header[from] == '(' ? ')' : ',', from);
  require(to != std::string_view::npos, name, ": its .npy header does not end behind ", key);
  return header.substr(from, to - from + (header[from] == '(' ? 1 : 0));
}

std::uint64_t count_of(std::string_view shape, std::string_view name) {
  std::uint64_t count = 0;
  const char* const last = shape.data() + shape.size();
  const auto [end, problem] =
      std::from_chars(shape.data() + std::min<std::size_t>(1, shape.size()), last, count);
  require(shape.starts_with('(') && problem == std::errc() && std::string_view(end, last) == ",)",
          name, ": its shape is ", shape, ", which must be of one dimension, as (3,)");
  return count;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, std::string_view name) {
  require(bytes.starts_with(kMagic), name, ": it does not start as a .npy file does");
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? std::size_t{static_cast<unsigned char>(bytes[i])} : std::size_t{0};
  };
  const std::size_t version = byte(6);
  require(version >= 1 && version <= 3, name, ": it is .npy version ", version,
          ", which must be 1, 2 or 3");
  const std::size_t before = version == 1 ? 10 : 12;
  std::size_t length = byte(8) + (byte(9) << 8);
  if (version > 1) length += (byte(10) << 16) + (byte(11) << 24);
  require(bytes.size() >= before && bytes.size() - before >= length, name,
          ": it ends within its .npy header");
  const std::string_view header = bytes.substr(before, length);
  require(value_of(header, "'fortran_order'", name) == "False", name,
          ": it is in Fortran order, which must be False");
  std::string_view type = value_of(header, "'descr'", name);
  require(type.size() == 5 && type.front() == '\'' && type.back() == '\'', name, ": its type is ",
          type, ", which must be '<f8', '<u8' or '<u4'");
  type = type.substr(1, 3);
  return {std::string(type), count_of(value_of(header, "'shape'", name), name), before + length};
}

std::string npy_header_text(std::string_view type, std::uint64_t count) {
  std::string text(kMagic);
  text.append({'\1', '\0', static_cast<char>(kHeaderBytes - 10), '\0'});
  text += message("{'descr': '", type, "', 'fortran_order': False, 'shape': (", count, ",), }");
  text.resize(kHeaderBytes - 1, ' ');
  return text += '\n';
}

NpyArray::NpyArray(const std::string& path) : path_(path), file_(path) {
  const auto bytes = file_.bytes();
  header_ = parse_npy_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  const bool known = type() == "<f8" || type() == "<u8" || type() == "<u4";
  require(known, path, ": its numbers are ", in_quotes(type()), ", which must be <f8, <u8 or <u4");
  const std::uint64_t size = type() == "<u4" ? 4 : 8;
  const std::uint64_t there = bytes.size() - header_.offset;
  require(header_.count <= std::numeric_limits<std::uint64_t>::max() / size &&
              header_.count * size == there,
          path, ": it says that it holds ", header_.count, " numbers of ", size,
          " bytes, but there are ", there, " bytes of numbers");
  require(header_.offset % size == 0, path, ": its numbers start at byte ", header_.offset,
          ", which must be a multiple of ", size);
}

}  // namespace surefield
