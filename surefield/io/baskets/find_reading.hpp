// How a file of baskets is to be read, from its first lines: first the separator, then the form and
// the header of the fields it gives. A file whose first line is kSetsDeclaration says it itself. A
// pure function of the text and the options. Cost: O(bytes).
#pragma once

#include <optional>
#include <string_view>

#include "surefield/io/baskets/basket_options.hpp"
#include "surefield/io/baskets/find_form.hpp"

namespace surefield {

struct Reading {
  Separator separator = Separator::kComma;
  bool separated = true;  ///< false if every line is one field and nothing was said
  Layout layout;
  std::optional<Encoding> encoding;  ///< if it is said, by the options or the file
  Index rows = 0;                    ///< lines that hold data
};

/// Throws Error, naming file, line and option, where two readings remain.
Reading find_reading(std::string_view head, BasketOptions options, std::string_view name);

}  // namespace surefield
