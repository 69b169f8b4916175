// What may be said about a file of baskets before it is read. Whatever is not said is found out
// from the file, or refused with the name of the option that says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "surefield/io/sets_file.hpp"

namespace surefield {

enum class Separator : char {
  kComma = ',',
  kSemicolon = ';',
  kTab = '\t',
  kPipe = '|',
  kBlanks = ' '  ///< white space, one or more
};

enum class Form {
  kLines,  ///< a line is a set
  kLong,   ///< a line is an order and one of its items, in columns
  kMatrix  ///< a line is a set, a column an item: 1 if it is in, 0 if not
};

enum class Encoding { kUtf8, kLatin1, kWindows1252 };

struct BasketOptions {
  std::optional<Separator> separator = {};
  std::optional<bool> header = {};
  std::optional<Form> form = {};
  std::string order_column = {};  ///< of the long form: a name, or a number from 1
  std::string item_column = {};
  std::optional<Encoding> encoding = {};
  SetsOptions::Blank blank_lines = SetsOptions::Blank::kSkip;
};

/// As on the command line: comma, lines, utf-8.
std::string_view text_of(Separator separator);
std::string_view text_of(Form form);
/// Throw Error, listing what there is, for any other name.
Separator separator_named(std::string_view name);
Form form_named(std::string_view name);
Encoding encoding_named(std::string_view name);

}  // namespace surefield
