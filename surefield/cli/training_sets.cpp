#include "surefield/cli/training_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "surefield/cli/number_rule.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/baskets/match_items.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/text_scanner.hpp"
#include "surefield/report/set_statistics_text.hpp"

namespace surefield::cli {
namespace {

/// All ids from the first to the last.
SetCollection by_ids(Baskets baskets, const TrainingSetsInput& input) {
  const Index first = input.first_id.value_or(1);
  const auto& labels = baskets.data.names;
  Index count = input.items.value_or(0);
  for (Index k = 0; k < labels.size(); ++k) {
    const auto id = parse_whole(labels[k]);
    const bool known = id && (*id >= first || input.items);
    require(known, input.path, ":", baskets.first_lines[k], ": found ", in_quotes(labels[k]),
            ", expected an item id, a whole number from ", first,
            id && first == 1 ? " (--first-id 0 counts from 0)" : "");
    if (input.items) continue;
    require(*id - first < labels.size() + kFreeCount, input.path, ":", baskets.first_lines[k],
            ": found '", labels[k], "', but ", labels.size(), " ids may count to ",
            labels.size() + kFreeCount, " at most; without --items ids it is a label");
    count = std::max<Index>(count, *id - first + 1);
  }
  const ItemLookup lookup(count, first);
  const LabelPlaces places = places_by(lookup, labels);
  return in_items(std::move(baskets), places, count, id_labels(count, first), input.skip_unknown,
                  input.path, lookup.expected());
}

SetCollection by_names(Baskets baskets, const TrainingSetsInput& input) {
  const ItemNames file = read_item_names(input.names);
  const bool ids = input.items_are == "ids";
  const ItemLookup lookup(file.names.size(), file.first_id,
                          ids ? std::span<const std::string>() : file.names);
  const LabelPlaces places = places_by(lookup, baskets.data.names);
  return in_items(std::move(baskets), places, file.names.size(), file.names, input.skip_unknown,
                  input.path, lookup.expected());
}

}  // namespace

void add_training_sets(CLI::App& command, TrainingSetsInput& input) {
  command
      .add_option("sets", input.path,
                  "a file of sets, - for stdin: a line a set, order,item lines or a 0/1 matrix")
      ->required();
  command.add_option("--names", input.names, "file of lines `id name`: the items there are");
  command
      .add_option(
          "--items", input.items_are,
          "guess, names: labels, be they numbers or not; ids: numbers of which none is left out")
      ->check(CLI::IsMember({"guess", "ids", "names"}))
      ->capture_default_str();
  command.add_option("-n,--count", input.items, "of ids: the items there are, seen or not")
      ->check(takes(kCounted));
  command.add_option("--first-id", input.first_id, "of ids: 0 or 1; 1 by default")
      ->check(takes(WholeRule{0, 1}));
  command.add_flag("--skip-unknown", input.skip_unknown,
                   "leave out items that are not known, and count them");
  add_basket_options(command, input.baskets);
}

SetCollection load_training_sets(const TrainingSetsInput& input, const CommonOptions& common) {
  require(input.names.empty() || (!input.items && !input.first_id),
          "--names: it says which items "
          "there are and how they count, so --count and --first-id have no place beside it");
  require(input.items_are != "names" || (!input.items && !input.first_id),
          "--items names: --count and --first-id are for ids");
  const bool ids = input.items_are == "ids" || input.items || input.first_id;
  require(!input.skip_unknown || ids || !input.names.empty(),
          "--skip-unknown: it has no effect without --names or ids, as every label is an item");
  Baskets baskets = load_baskets(input.path, input.baskets);
  const std::string what = understood(baskets, input.path);
  SetCollection data = !input.names.empty() ? by_names(std::move(baskets), input)
                       : ids                ? by_ids(std::move(baskets), input)
                                            : std::move(baskets.data);
  say(what, common);
  return data;
}

void say_about(const SetCollection& data, const SetStatistics& statistics,
               const TrainingSetsInput& input, const CommonOptions& common) {
  std::string text = set_statistics_text(statistics, data.names);
  text.pop_back();
  say(text, common);
  const auto odd = [&](Index count, std::string_view what) {
    if (count > 0) say(fmt::format("{} {}", count, what), common);
  };
  odd(data.blank_lines,
      input.baskets.blank == "empty"
          ? "blank lines, read as empty sets"
          : "blank lines, skipped (the empty set is \"\"; --blank empty takes blank lines for it)");
  odd(data.repeated_items, "items more than once in a set, kept once");
  odd(data.unknown_items, "unknown items, left out");
}

}  // namespace surefield::cli
