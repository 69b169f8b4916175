// A file of sets named on the command line, and how its items are those of a model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "surefield/core/set_collection.hpp"

namespace surefield::cli {

struct SetsInput {
  std::string names;           ///< of the items in the files of sets, `id name` a line
  Index first_id = 1;          ///< of items given by id, where there are no names
  std::string blank = "skip";  ///< or empty, refuse
  bool skip_unknown = false;   ///< leave out items that the model does not have
};

/// --names, --first-id, --blank, --skip-unknown.
void add_sets_options(CLI::App& command, SetsInput& input);

/// The sets over the items of a model. An item is matched by name where the model has names, else
/// by id; with --names the file's ids and names are those of that file, which are then matched with
/// the model's names, or with its items in order where it has none. Throws Error, naming file and
/// line or the item, where an item has no match.
SetCollection load_sets_for(const std::string& path, const SetsInput& input, Index items,
                            const std::vector<std::string>& model_names);

}  // namespace surefield::cli
