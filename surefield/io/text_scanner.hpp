// A text read token by token; whatever it refuses, it names file, line, what is there and what
// should be.
//
//   graph.txt:3: found 'abc', expected a number (a weight)
//
// Tokens are separated by blanks (space, tab, carriage return, line feed and their kin), so CRLF
// files and files without a last line end need no care. A number must be finite and fill its token.
// A declared count is held against the bytes that are left before anything is allocated for it.
// Cost: O(bytes), no allocation but for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

/// Nodes, items or table entries a file may imply without spelling each one out: this many, plus
/// one for every byte it has.
inline constexpr Index kFreeCount = Index{1} << 20;

/// The text on one line: cut after `most` bytes, what cannot be printed as \xNN.
std::string escaped(std::string_view text, Index most);

/// The same in quotes, cut after 40 bytes.
std::string in_quotes(std::string_view text);

/// The finite number that fills the text, or what it should have been.
struct ParsedNumber {
  double value = 0;
  std::string_view expected;  ///< empty if the text is a number
};
ParsedNumber parse_number(std::string_view text);

class TextScanner {
 public:
  enum class Comments {
    kNone,
    kHash,
    kLetterC
  };  ///< lines that start with '#'; lines whose first word is 'c'

  /// The text must outlive the scanner.
  TextScanner(std::string_view text, std::string_view name, Comments comments = Comments::kNone);

  /// Nothing but blanks and comment lines is left.
  bool at_end();
  /// Nothing but blanks is left on this line.
  bool at_line_end();
  std::string_view token(std::string_view expected);

  double number(std::string_view what = {});
  std::uint64_t whole(std::string_view what, std::uint64_t low, std::uint64_t high);
  /// A whole number of things that the rest of the file can hold at `bytes_each` or more a thing,
  /// separator included.
  Index count(std::string_view things, Index bytes_each);
  /// A whole number of things the file need not list: at most kFreeCount more than it has bytes.
  Index implied_count(std::string_view things);
  void expect_end(std::string_view after);

  Index line() const { return line_; }  ///< of the last token
  Index bytes() const { return text_.size(); }
  Index bytes_left() const { return text_.size() - position_; }

  /// Throws Error: "file:line: found 'token', expected ...".
  [[noreturn]] void refuse(std::string_view token, std::string_view expected) const;
  /// Throws Error: "file:line: ...".
  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(name_, ":", line_, ": ", parts...);
  }

 private:
  void skip_blanks();
  void skip_line();
  bool at_comment() const;

  std::string_view text_;
  std::string_view name_;
  Comments comments_;
  Index position_ = 0;
  Index line_ = 1;
  bool line_start_ = true;  // no token of this line has been read
};

}  // namespace surefield
