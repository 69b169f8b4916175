// What was understood of a file of baskets, in one line.
#include "surefield/core/error.hpp"
#include "surefield/io/baskets/read_baskets.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

std::string counted(Index count, std::string_view what) {
  return message(count, " ", what, count == 1 ? "" : "s");
}

}  // namespace

std::string understood(const Baskets& baskets, std::string_view name) {
  const Layout& layout = baskets.layout;
  std::string text = message(name, ": ", counted(baskets.data.sets.size(), "set"), " of ",
                             counted(baskets.data.items, "item"), ", ");
  if (layout.form == Form::kLines)
    text += baskets.separated ? "one set a line" : "one set of one item a line";
  else if (layout.form == Form::kMatrix)
    text += layout.rows_are_numbered ? "a row of 0 and 1 a set after its first column"
                                     : "a row of 0 and 1 a set";
  else if (layout.header)
    text += message("one item a line, of order ", in_quotes(baskets.order_name), " the item ",
                    in_quotes(baskets.item_name));
  else
    text += message("one item a line, the order in column ", layout.order + 1,
                    ", the item in column ", layout.item + 1);
  if (baskets.separated)
    text += message(", separated by ", baskets.separator == Separator::kBlanks
                                           ? std::string("white space")
                                           : message(text_of(baskets.separator), "s"));
  if (layout.header) text += ", with a header";
  if (baskets.encoding != Encoding::kUtf8)
    text += baskets.encoding == Encoding::kLatin1 ? ", in ISO 8859-1" : ", in Windows-1252";
  if (baskets.comments > 0) text += message(", ", counted(baskets.comments, "comment line"));
  if (baskets.lines_without_item > 0)
    text += message(", ", counted(baskets.lines_without_item, "line"), " without an item");
  return text;
}

}  // namespace surefield
