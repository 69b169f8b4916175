#include "surefield/cli/training_sets.hpp"

#include <fmt/format.h>

#include <utility>

#include "surefield/cli/number_rule.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/report/set_statistics_text.hpp"

namespace surefield::cli {

void add_training_sets(CLI::App& command, TrainingSetsInput& input) {
  command.add_option("sets", input.path, "one set a line, comma separated ids or names")
      ->required();
  command.add_option("--names", input.names, "file of lines `id name`: the items there are");
  command.add_option("--items", input.items_are, "what stands in the lines")
      ->check(CLI::IsMember({"guess", "ids", "names"}))
      ->capture_default_str();
  command.add_option("-n,--count", input.items, "items there are, where no line tells")
      ->check(takes(kCount));
  command.add_option("--first-id", input.first_id, "0 or 1")
      ->check(takes(WholeRule{0, 1}))
      ->capture_default_str();
  command.add_option("--blank", input.blank, "what a blank line is")
      ->check(CLI::IsMember({"skip", "empty", "refuse"}))
      ->capture_default_str();
  command.add_flag("--skip-unknown", input.skip_unknown,
                   "leave out items that are not known, and count them");
}

SetCollection load_training_sets(const TrainingSetsInput& input) {
  using Items = SetsOptions::Items;
  using Blank = SetsOptions::Blank;
  SetsOptions how;
  how.items_are = input.items_are == "ids"     ? Items::kIds
                  : input.items_are == "names" ? Items::kNames
                                               : Items::kGuess;
  how.blank_lines = input.blank == "empty"    ? Blank::kEmptySet
                    : input.blank == "refuse" ? Blank::kRefuse
                                              : Blank::kSkip;
  how.first_id = input.first_id;
  how.items = input.items;
  how.unknown = input.skip_unknown ? OddInput::kCount : OddInput::kRefuse;
  if (!input.names.empty()) {
    ItemNames names = read_item_names(input.names);
    how.first_id = names.first_id;
    how.names = std::move(names.names);
  }
  SetCollection data = read_sets(input.path, how);
  require(!data.sets.empty(), input.path, ": it holds no set, but at least one is needed");
  return data;
}

void say_about(const SetCollection& data, const SetStatistics& statistics,
               const TrainingSetsInput& input, const CommonOptions& common) {
  std::string text = set_statistics_text(statistics, data.names, input.first_id);
  text.pop_back();
  say(text, common);
  const auto odd = [&](Index count, std::string_view what) {
    if (count > 0) say(fmt::format("{} {}", count, what), common);
  };
  odd(data.blank_lines,
      input.blank == "empty" ? "blank lines, read as empty sets" : "blank lines, skipped");
  odd(data.repeated_items, "items more than once in a set, kept once");
  odd(data.unknown_items, "unknown items, left out");
}

}  // namespace surefield::cli
