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

SetCollection in_items_of(Baskets baskets, Index items, const std::vector<std::string>& model_names,
                          const MatchOptions& options, std::string_view file, std::string& what) {
  constexpr std::string_view kSkip = " (--skip-unknown leaves it out)";
  const std::vector<std::string> labels = baskets.data.names;
  const auto whole = [](const std::string& label) { return parse_whole(label).has_value(); };
  const std::vector<std::string> called = model_names.empty() ? id_labels(items, 0) : model_names;
  const ItemLookup lookup(items, 0, called);
  // By id: numbers only, for a model without numbers among its labels.
  const bool ids = std::ranges::all_of(labels, whole) &&
                   (model_names.empty() || std::ranges::none_of(model_names, whole));
  require(ids || !options.first_id, file, ": --first-id is ", options.first_id.value_or(0),
          ", but its items are labels, matched with those of the model");
  if (!ids)
    return in_items(std::move(baskets), places_by(lookup, labels), items, called,
                    options.skip_unknown, file,
                    message("the name of one of ", items, " items", kSkip));
  std::optional<Index> first = options.first_id ? options.first_id : counts_from(labels, items);
  if (!first && (model_names.empty() || labels.empty())) first = 0;  // so its items are called
  require(
      first.has_value(), file,
      ": its items are numbers, the model's have names, and neither 0 nor ", items,
      " is there to tell from where they count; type --first-id 0, --first-id 1 or --names FILE");
  if (!options.first_id && !labels.empty() && (*first == 1 || !model_names.empty()))
    what +=
        message("; its items are ids from ", *first, ", as ", *first == 0 ? 0 : items, " is there");
  const ItemLookup by_id(items, *first);
  return in_items(std::move(baskets), places_by(by_id, labels), items, called, options.skip_unknown,
                  file, message(by_id.expected(), kSkip));
}

}  // namespace surefield
