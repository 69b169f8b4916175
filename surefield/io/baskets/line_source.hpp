// The lines of a file of any size, in memory of a few lines: read in pieces of 64 KiB or a line,
// once, so that it may be a pipe.
//
// A line ends with LF, CRLF or CR. A UTF-8 byte order mark is left out; after a UTF-16 one the text
// is turned into UTF-8. Refused with its line: a byte 0 and a line longer than 64 MiB.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

class LineSource {
 public:
  /// Puts up to `most` bytes there and says how many; 0 at the end.
  using Refill = std::function<Index(char* there, Index most)>;

  LineSource(Refill refill, std::string_view name);
  /// Of a text, which must outlive this.
  static LineSource of_text(std::string_view text, std::string_view name);

  /// The first lines, 1 MiB and three lines if there are so many; before the first next().
  std::string_view head();

  bool next();
  std::string_view line() const { return line_; }  ///< until the next call of next()
  Index number() const { return number_; }         ///< from 1
  /// It starts with a byte order mark: the lines are UTF-8.
  bool has_mark() const { return mark_; }
  const std::string& name() const { return name_; }

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(name_, ":", number_, ": ", parts...);
  }

 private:
  bool read_more();

  Refill refill_;
  std::string name_;
  std::string buffer_;
  Index at_ = 0;  // where the next line starts in the buffer
  Index number_ = 0;
  Index bytes_ = 0;
  std::string_view line_;
  bool ended_ = false;
  bool mark_ = false;
  enum class Wide { kNo, kLittleEndian, kBigEndian } wide_ = Wide::kNo;
  std::string wide_bytes_;  // of UTF-16 that are half a character
};

/// Cuts the first line off the text; the line end goes with it.
std::string_view cut_line(std::string_view& text);

}  // namespace surefield
