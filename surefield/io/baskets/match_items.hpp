// Baskets in the items of a list that is known: those of a model, or of a file of names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/io/baskets/read_baskets.hpp"
#include "surefield/io/item_lookup.hpp"

namespace surefield {

/// The item that each label is; nothing if it is none.
using LabelPlaces = std::vector<std::optional<std::uint32_t>>;

/// The same sets over `items` items called `names`. Items that are none are left out and counted,
/// or the file is refused: "s.csv:2: found 'b', expected <expected>". Two labels of one item in a
/// set are one.
SetCollection in_items(Baskets baskets, const LabelPlaces& places, Index items,
                       std::vector<std::string> names, bool skip_unknown, std::string_view file,
                       std::string_view expected);

/// By what the lookup finds.
LabelPlaces places_by(const ItemLookup& lookup, std::span<const std::string> labels);

/// From where the labels count `items` items, if all are whole numbers: from 0 if 0 is there, from 1
/// if `items` is there and 0 is not. Nothing where that does not tell.
std::optional<Index> counts_from(std::span<const std::string> labels, Index items);

struct MatchOptions {
  std::optional<Index> first_id = {};  ///< of items given by id that are no labels: 0 or 1
  bool skip_unknown = false;           ///< leave out items that the model does not have
};

/// The sets over the items of a model, by label; a model without labels calls its items 0 to n - 1. Numbers that are no labels
/// are ids: from where the options say, else as counts_from says, added to `what`. Throws Error, naming file and line, where an
/// item has no match, and where nothing tells from where ids count.
SetCollection in_items_of(Baskets baskets, Index items, const std::vector<std::string>& model_names,
                          const MatchOptions& options, std::string_view file, std::string& what);

/// 0 .. items - 1 plus `first_id` as text.
std::vector<std::string> id_labels(Index items, Index first_id);

}  // namespace surefield
