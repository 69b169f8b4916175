#include "surefield/cli/basket_input.hpp"

#include "surefield/core/error.hpp"

namespace surefield::cli {
namespace {

BasketOptions how_to_read(const BasketInput& input) {
  using Blank = SetsOptions::Blank;
  BasketOptions how;
  if (!input.separator.empty()) how.separator = separator_named(input.separator);
  if (!input.form.empty()) how.form = form_named(input.form);
  if (!input.encoding.empty()) how.encoding = encoding_named(input.encoding);
  if (input.header || input.no_header) how.header = input.header;
  how.blank_lines = input.blank == "empty"    ? Blank::kEmptySet
                    : input.blank == "refuse" ? Blank::kRefuse
                                              : Blank::kSkip;
  if (!input.columns.empty()) {
    const auto comma = input.columns.find(',');
    how.order_column = input.columns.substr(0, comma);
    if (comma != std::string::npos) how.item_column = input.columns.substr(comma + 1);
    require(!how.order_column.empty() && !how.item_column.empty(), "--long: found '", input.columns,
            "', expected ORDER,ITEM: the names or numbers of two columns");
  }
  return how;
}

}  // namespace

void add_basket_options(CLI::App& command, BasketInput& input) {
  const std::string group = "How a file of sets is written, where it does not tell";
  command
      .add_option("--separator", input.separator, "of fields: comma, semicolon, tab, pipe or space")
      ->check(
          CLI::IsMember({"comma", "semicolon", "tab", "pipe", "space", ",", ";", "\t", "|", " "}))
      ->option_text("NAME")
      ->group(group);
  auto* header = command.add_flag("--header", input.header, "the first line is a header");
  auto* none = command.add_flag("--no-header", input.no_header, "the first line is data");
  header->group(group)->excludes(none);
  none->group(group);
  command
      .add_option(
          "--form", input.form,
          "lines: a line a set; long: a line an order and one item; matrix: rows of 0 and 1")
      ->check(CLI::IsMember({"lines", "long", "matrix"}))
      ->group(group);
  command
      .add_option("--long", input.columns,
                  "columns of the order and the item, ORDER,ITEM: names, or numbers from 1")
      ->group(group);
  command.add_option("--encoding", input.encoding, "utf-8, latin1 or windows-1252")
      ->check(CLI::IsMember({"utf-8", "latin1", "windows-1252"}))
      ->group(group);
  command.add_option("--blank", input.blank, "what a blank line is; the empty set is written \"\"")
      ->check(CLI::IsMember({"skip", "empty", "refuse"}))
      ->capture_default_str()
      ->group(group);
}

Baskets load_baskets(const std::string& path, const BasketInput& input) {
  Baskets baskets = read_baskets(path, how_to_read(input));
  require(!baskets.data.sets.empty(), path, ": it holds no set, but at least one is needed");
  return baskets;
}

}  // namespace surefield::cli
