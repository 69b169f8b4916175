#include "surefield/io/item_lookup.hpp"

#include <charconv>

#include "surefield/core/error.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

ItemLookup::ItemLookup(Index items, Index first_id, std::span<const std::string> names)
    : items_(items), first_id_(first_id) {
  require(names.empty() || names.size() == items, "item names: there are ", names.size(),
          " names, but ", items, " items");
  by_name_.reserve(names.size());
  for (Index i = 0; i < names.size(); ++i) {
    const auto [place, added] = by_name_.emplace(names[i], i);
    require(added, "item names: ", in_quotes(names[i]), " is the name of item ",
            place->second + first_id, " and of item ", i + first_id);
    if (parse_whole(names[i])) ids_ = false;
  }
}

std::optional<Index> ItemLookup::find(std::string_view text) const {
  if (const auto found = by_name_.find(text); found != by_name_.end()) return found->second;
  if (!ids_) return std::nullopt;
  const auto id = parse_whole(text);
  if (!id || *id < first_id_ || *id - first_id_ >= items_) return std::nullopt;
  return *id - first_id_;
}

std::string ItemLookup::expected() const {
  if (items_ == 0) return "no item, as there are none";
  if (!by_name_.empty()) return message("the name of one of ", items_, " items");
  return message("an item from ", first_id_, " to ", first_id_ + items_ - 1);
}

}  // namespace surefield
