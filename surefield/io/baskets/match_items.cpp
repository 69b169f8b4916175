#include "surefield/io/baskets/match_items.hpp"

#include <algorithm>

#include "surefield/core/error.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {

SetCollection in_items(Baskets baskets, const LabelPlaces& places, Index items,
                       std::vector<std::string> names, bool skip_unknown, std::string_view file,
                       std::string_view expected) {
  SetCollection data = std::move(baskets.data);
  std::optional<Index> unknown;  // the one met first
  for (Index k = 0; k < places.size(); ++k)
    if (!places[k] && (!unknown || baskets.first_lines[k] < baskets.first_lines[*unknown]))
      unknown = k;
  if (unknown && !skip_unknown)
    fail(file, ":", baskets.first_lines[*unknown], ": found ", in_quotes(data.names[*unknown]),
         ", expected ", expected);
  std::vector<Index> last_set_with(items, 0);
  for (Index s = 0; s < data.sets.size(); ++s) {
    auto& set = data.sets[s];
    Index kept = 0;
    for (const std::uint32_t label : set) {
      if (!places[label]) {
        ++data.unknown_items;
        continue;
      }
      const std::uint32_t item = *places[label];
      if (last_set_with[item] == s + 1) {
        ++data.repeated_items;
        continue;
      }
      last_set_with[item] = s + 1;
      set[kept++] = item;
    }
    set.resize(kept);
  }
  data.items = items;
  data.names = std::move(names);
  return data;
}

LabelPlaces places_by(const ItemLookup& lookup, std::span<const std::string> labels) {
  LabelPlaces places(labels.size());
  for (Index k = 0; k < labels.size(); ++k)
    if (const auto found = lookup.find(labels[k])) places[k] = static_cast<std::uint32_t>(*found);
  return places;
}

std::optional<Index> counts_from(std::span<const std::string> labels, Index items) {
  bool zero = false, last = false;
  for (const auto& label : labels) {
    const auto id = parse_whole(label);
    if (!id) return std::nullopt;
    zero |= *id == 0;
    last |= *id == items;
  }
  if (zero) return 0;
  return last ? std::optional<Index>(1) : std::nullopt;
}

std::vector<std::string> id_labels(Index items, Index first_id) {
  std::vector<std::string> labels;
  for (Index i = 0; i < items; ++i) labels.push_back(std::to_string(i + first_id));
  return labels;
}

}  // namespace surefield
