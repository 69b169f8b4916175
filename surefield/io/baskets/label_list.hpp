// The labels of items as they are met: a label is any text, and two fields are the same item if
// their bytes are the same. 1, 01 and 001 are three items.
//
// Which encoding a file has is decided from its labels, at the end:
//   all are UTF-8                                   UTF-8
//   some are not, none is UTF-8 beyond ASCII,
//   none has a byte 0x80 to 0x9F                    ISO 8859-1, where these would be controls
//   else                                            refused: --encoding
// Cost: O(1) a field, and each label once in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "surefield/io/baskets/basket_options.hpp"

namespace surefield {

class LabelList {
 public:
  /// The place of the label, which is new at the end if it was not there.
  std::uint32_t place(std::string_view label, Index line);

  Index size() const { return first_lines_.size(); }
  const std::vector<Index>& first_lines() const { return first_lines_; }

  /// The labels in UTF-8, in order of their places. Throws Error, naming the first line of a label
  /// that does not fit. `encoding` is set to what was decided; `mark` says that the file starts with
  /// a UTF-8 byte order mark.
  std::vector<std::string> decoded(std::optional<Encoding>& encoding, bool mark,
                                   std::string_view name) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> places_;
  std::vector<Index> first_lines_;
};

/// The labels' places in the order of their numbers, if every label is a whole number without
/// leading zeros; nothing if not.
std::optional<std::vector<std::uint32_t>> order_of_numbers(const std::vector<std::string>& labels);

}  // namespace surefield
