// The fields of a line: RFC 4180 quotes, any of five separators, blanks around a field left out.
//
//   bread,"Sea Squirts, five", "say ""so"""     three fields, two of them quoted
//
// A quote that is not the first character of its field is a character as any other. White space
// separates as a run: none at the ends, no empty field unless it is quoted. Cost: O(bytes), no
// allocation once the buffers have grown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/io/baskets/basket_options.hpp"

namespace surefield {

class Fields {
 public:
  /// Views of the line, which must outlive them. Throws Error, "name:number: ...", where a quote
  /// does not close on the line or text follows the closing one.
  void split(std::string_view line, Separator separator, std::string_view name, Index number);

  Index size() const { return fields_.size(); }
  std::string_view operator[](Index k) const { return fields_[k].text; }
  bool quoted(Index k) const { return fields_[k].quoted; }
  /// Leaves out the empty fields at the end that are not quoted: the padding of a table.
  void drop_padding();
  /// The fields as strings of their own.
  std::vector<std::string> copy() const;

 private:
  struct Field {
    std::string_view text;
    bool quoted;
  };
  std::vector<Field> fields_;
  std::string unquoted_;  // never longer than the line, so it does not move
};

}  // namespace surefield
