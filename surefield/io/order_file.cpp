#include "surefield/io/order_file.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/io/json_cursor.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

/// A list being read, in which an item may stand once. `At` says where a refusal is.
class Visits {
 public:
  explicit Visits(Index items) : seen_(items, false) {}

  template <class At>
  void add(std::optional<Index> item, std::string_view text, const ItemLookup& lookup,
           const At& at) {
    if (!item) at.fail_here("found ", in_quotes(text), ", expected ", lookup.expected());
    if (seen_[*item])
      at.fail_here("item ", in_quotes(text), " is there twice, expected each item once");
    seen_[*item] = true;
    list_.push_back(*item);
  }

  /// `place` is what the list is called where an item is missing: the file, or a place in it.
  std::vector<Index> finish(std::string_view place) && {
    for (Index i = 0; i < seen_.size(); ++i)
      require(seen_[i], place, ": item ", i, " is missing, expected each of ", seen_.size(),
              " items once");
    return std::move(list_);
  }

 private:
  std::vector<bool> seen_;
  std::vector<Index> list_;
};

std::vector<Index> list_of(const JsonCursor& array, std::string_view name, Index items,
                           const ItemLookup& lookup) {
  Visits visits(items);
  for (Index k = 0; k < array.size(); ++k) {
    const JsonCursor element = array.element(k);
    if (element.is_text())
      visits.add(lookup.find(element.text()), element.text(), lookup, element);
    else
      visits.add(element.index(items, "items"), message(element.index(items, "items")), lookup,
                 element);
  }
  return std::move(visits).finish(array.is_top() ? std::string(name)
                                                 : message(name, ": ", array.path()));
}

}  // namespace

std::vector<std::vector<Index>> parse_order(std::string_view text, std::string_view name,
                                            Index items, const ItemLookup& lookup) {
  if (trimmed(text).starts_with('[')) {
    const nlohmann::json document = parse_json(text, name);
    const JsonCursor top(document, name);
    if (top.size() == 0 || !top.element(0).is_array()) return {list_of(top, name, items, lookup)};
    std::vector<std::vector<Index>> epochs;
    for (Index epoch = 0; epoch < top.size(); ++epoch)
      epochs.push_back(list_of(top.element(epoch), name, items, lookup));
    return epochs;
  }
  Visits visits(items);
  Lines lines(text, name);
  while (lines.next()) {
    const std::string_view item = lines.line();
    if (item.empty() || item[0] == '#') continue;
    visits.add(lookup.find(item), item, lookup, lines);
  }
  return {std::move(visits).finish(name)};
}

std::vector<std::vector<Index>> read_order(const std::string& path, Index items,
                                           const ItemLookup& lookup) {
  return parse_order(read_file(path), path, items, lookup);
}

}  // namespace surefield
