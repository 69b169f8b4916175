#include "surefield/cli/sets_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "surefield/cli/number_rule.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/baskets/match_items.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield::cli {
namespace {

constexpr std::string_view kSkip = " (--skip-unknown leaves it out)";

/// By the names file, then by the model's labels or, if it has none, in order.
SetCollection by_names_file(Baskets baskets, const std::string& path, const SetsInput& input,
                            Index items, const std::vector<std::string>& model_names) {
  const ItemNames file = read_item_names(input.names);
  require(!file.names.empty(), input.names, ": it names no item");
  const ItemLookup in_file(file.names.size(), file.first_id, file.names);
  LabelPlaces places = places_by(in_file, baskets.data.names);
  for (Index k = 0; k < places.size(); ++k)
    require(places[k].has_value(), path, ":", baskets.first_lines[k], ": found ",
            in_quotes(baskets.data.names[k]), ", expected ", in_file.expected(), " of ",
            input.names);
  if (model_names.empty()) {
    require(file.names.size() == items, input.names, ": it names ", file.names.size(),
            " items, the model has ", items, " without names, which must be the same");
    return in_items(std::move(baskets), places, items, file.names, false, path, "");
  }
  const ItemLookup in_model(model_names.size(), 0, model_names);
  for (Index k = 0; k < places.size(); ++k) {
    const std::string& name = file.names[*places[k]];
    const auto found = in_model.find(name);
    const bool known = found && model_names[*found] == name;  // by name, not by id
    require(known || input.skip_unknown, path, ":", baskets.first_lines[k], ": found '", name,
            "', which the model does not have", kSkip);
    places[k] = known ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
  }
  return in_items(std::move(baskets), places, items, model_names, true, path, "");
}

}  // namespace

void add_sets_options(CLI::App& command, SetsInput& input) {
  command.add_option("--names", input.names,
                     "item names of the sets' ids, `id name` or `id category: name` a line");
  command
      .add_option("--first-id", input.first_id,
                  "of sets by number, where the numbers are no labels of the model: 0 or 1")
      ->check(takes(WholeRule{0, 1}));
  command.add_flag("--skip-unknown", input.skip_unknown,
                   "leave out items that the model does not have, instead of refusing the file");
  add_basket_options(command, input.baskets);
}

SetCollection load_sets_for(const std::string& path, const SetsInput& input, Index items,
                            const std::vector<std::string>& model_names,
                            const CommonOptions& common) {
  require(input.names.empty() || !input.first_id,
          "--first-id: it has no effect beside --names, which says how its items count");
  Baskets baskets = load_baskets(path, input.baskets);
  std::string what = understood(baskets, path);
  SetCollection data =
      input.names.empty()
          ? in_items_of(std::move(baskets), items, model_names,
                        {.first_id = input.first_id, .skip_unknown = input.skip_unknown}, path,
                        what)
          : by_names_file(std::move(baskets), path, input, items, model_names);
  say(what, common);
  return data;
}

}  // namespace surefield::cli
