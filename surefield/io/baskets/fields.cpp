#include "surefield/io/baskets/fields.hpp"

#include <algorithm>

#include "surefield/io/lines.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {

void Fields::split(std::string_view line, Separator separator, std::string_view name,
                   Index number) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());
  const bool blanks = separator == Separator::kBlanks;
  // A tab is a blank around a field except where it separates.
  const std::string_view around = separator == Separator::kTab ? " " : " \t\v\f";
  const char mark = static_cast<char>(separator);
  const auto end_of = [&](std::string_view text) {
    return std::min(text.size(), blanks ? text.find_first_of(around) : text.find(mark));
  };
  std::string_view left = line;
  if (blanks) left = trimmed(left);
  while (true) {
    left.remove_prefix(std::min(left.size(), left.find_first_not_of(around)));
    if (left.starts_with('"')) {
      const std::string_view whole = left;
      const Index start = unquoted_.size();
      left.remove_prefix(1);
      while (true) {
        const auto quote = left.find('"');
        if (quote == std::string_view::npos)
          fail(name, ":", number, ": found ", in_quotes(whole),
               ", expected a closing quote on the same line");
        unquoted_.append(left.substr(0, quote));
        left.remove_prefix(quote + 1);
        if (!left.starts_with('"')) break;
        unquoted_ += '"';
        left.remove_prefix(1);
      }
      const Index end = end_of(left);
      const std::string_view behind = trimmed(left.substr(0, end));
      if (!behind.empty())
        fail(name, ":", number, ": found ", in_quotes(behind),
             " behind a closing quote, expected a separator (", text_of(separator), ")");
      fields_.push_back({std::string_view(unquoted_).substr(start), true});
      left.remove_prefix(end);
    } else {
      const Index end = end_of(left);
      fields_.push_back({trimmed(left.substr(0, end)), false});
      left.remove_prefix(end);
    }
    if (left.empty()) return;
    left.remove_prefix(1);
  }
}

void Fields::drop_padding() {
  while (!fields_.empty() && fields_.back().text.empty() && !fields_.back().quoted)
    fields_.pop_back();
}

std::vector<std::string> Fields::copy() const {
  std::vector<std::string> result;
  for (const Field& field : fields_) result.emplace_back(field.text);
  return result;
}

}  // namespace surefield
