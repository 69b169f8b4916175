#include "surefield/cli/sets_input.hpp"

#include <optional>
#include <span>

#include "surefield/cli/number_rule.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/sets_file.hpp"

namespace surefield::cli {
namespace {

/// The sets in the model's items; what the model does not have is refused or left out and counted.
SetCollection matched(SetCollection data, const SetsInput& input, const std::string& path,
                      std::span<const std::string> model_names) {
  const ItemLookup lookup(model_names.size(), 0, model_names);
  std::vector<std::optional<Index>> place(data.items);
  for (Index i = 0; i < data.items; ++i) place[i] = lookup.find(data.names[i]);
  for (Index s = 0; s < data.sets.size(); ++s) {
    std::vector<std::uint32_t> set;
    for (const std::uint32_t i : data.sets[s]) {
      require(place[i] || input.skip_unknown, path, ": set ", s + 1, " holds '", data.names[i],
              "', which the model does not have (--skip-unknown leaves it out)");
      if (place[i])
        set.push_back(static_cast<std::uint32_t>(*place[i]));
      else
        ++data.unknown_items;
    }
    data.sets[s] = std::move(set);
  }
  data.items = model_names.size();
  data.names.assign(model_names.begin(), model_names.end());
  return data;
}

}  // namespace

void add_sets_options(CLI::App& command, SetsInput& input) {
  command.add_option("--names", input.names,
                     "item names of the sets' ids, `id name` or `id category: name` a line");
  command
      .add_option("--first-id", input.first_id, "of items given by id, where there are no names")
      ->check(takes(WholeRule{0, 1}))
      ->capture_default_str();
  command.add_option("--blank", input.blank, "what a blank line of a file of sets is")
      ->check(CLI::IsMember({"skip", "empty", "refuse"}))
      ->capture_default_str();
  command.add_flag("--skip-unknown", input.skip_unknown,
                   "leave out items that the model does not have, instead of refusing the file");
}

SetCollection load_sets_for(const std::string& path, const SetsInput& input, Index items,
                            const std::vector<std::string>& model_names) {
  SetsOptions options;
  options.first_id = input.first_id;
  options.blank_lines = input.blank == "skip"    ? SetsOptions::Blank::kSkip
                        : input.blank == "empty" ? SetsOptions::Blank::kEmptySet
                                                 : SetsOptions::Blank::kRefuse;
  options.unknown = input.skip_unknown ? OddInput::kCount : OddInput::kRefuse;
  if (!input.names.empty()) {
    ItemNames file = read_item_names(input.names);
    options.first_id = file.first_id;
    options.names = std::move(file.names);
    require(!options.names.empty(), input.names, ": it names no item");
    if (!model_names.empty()) {
      options.unknown = OddInput::kRefuse;  // of the names file; the model's come after
      return matched(read_sets(path, options), input, path, model_names);
    }
    require(options.names.size() == items, input.names, ": it names ", options.names.size(),
            " items, the model has ", items, " without names, which must be the same");
    return read_sets(path, options);
  }
  if (model_names.empty()) {
    options.items_are = SetsOptions::Items::kIds;
    options.items = items;
  } else {
    options.names = model_names;
  }
  return read_sets(path, options);
}

}  // namespace surefield::cli
