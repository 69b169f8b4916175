#include "surefield/io/item_names.hpp"

#include "surefield/core/error.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"
#include "surefield/io/utf8.hpp"

namespace surefield {

ItemNames parse_item_names(std::string_view text, std::string_view name) {
  const bool utf8 = is_utf8(text);
  const auto owned = [utf8](std::string_view part) {
    return utf8 ? std::string(part) : utf8_of_latin1(part);
  };
  ItemNames result;
  Lines lines(text, name);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    const auto word_end = line.find_first_of(" \t");
    const auto id_text = line.substr(0, word_end);
    const auto id = parse_whole(id_text);
    if (result.names.empty() && id && *id <= 1) result.first_id = *id;
    const Index expected = result.first_id + result.names.size();
    if (id != expected)
      lines.fail_here("found ", in_quotes(id_text), ", expected the item id ", expected,
                      result.names.empty() ? " or 0" : "");
    std::string_view rest =
        word_end == std::string_view::npos ? "" : trimmed(line.substr(word_end));
    std::string_view category;
    const auto colon = rest.find(": ");
    if (colon != std::string_view::npos && rest.find_first_of(" \t") > colon) {
      category = rest.substr(0, colon);
      rest = trimmed(rest.substr(colon + 2));
    }
    if (rest.empty()) lines.fail_here("the line ends, expected the name of item ", expected);
    result.names.push_back(owned(rest));
    result.categories.push_back(owned(category));
  }
  return result;
}

ItemNames read_item_names(const std::string& path) {
  return parse_item_names(read_file(path), path);
}

std::string item_names_text(const ItemNames& items) {
  require(items.categories.empty() || items.categories.size() == items.names.size(),
          "item names: ", items.categories.size(), " categories for ", items.names.size(),
          " names");
  std::string text;
  for (Index i = 0; i < items.names.size(); ++i) {
    const std::string& name = items.names[i];
    const std::string category = items.categories.empty() ? "" : items.categories[i];
    require(!name.empty() && name == trimmed(name) && name.find('\n') == std::string::npos,
            "item names: ", in_quotes(name), " must be one line without blanks around it");
    require(category.find_first_of(" \t\r\n:") == std::string::npos, "item names: the category ",
            in_quotes(category), " must be one word without a colon");
    append_number(text, items.first_id + i);
    text += ' ';
    if (!category.empty()) text.append(category).append(": ");
    text.append(name).append("\n");
  }
  return text;
}

}  // namespace surefield
