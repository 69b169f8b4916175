// A file of sets named on the command line, and how its items are those of a model.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "surefield/cli/basket_input.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield::cli {

struct SetsInput {
  std::string names;              ///< of the items in the files of sets, `id name` a line
  std::optional<Index> first_id;  ///< of items given by id that are no labels of the model
  BasketInput baskets;
  bool skip_unknown = false;  ///< leave out items that the model does not have
};

/// --names, --first-id, --skip-unknown and how the file is written.
void add_sets_options(CLI::App& command, SetsInput& input);

/// The sets over the items of a model, matched by label; a model without labels calls its items 0 to
/// n - 1. Numbers that are no labels are ids: from where --first-id says, else from 0 if 0 is there
/// and from 1 if n is there and 0 is not; said, or refused where that does not tell. With --names the
/// ids and names are those of that file, matched with the model's labels, or with its items in order
/// where it has none. Throws Error, naming file and line, where an item has no match.
SetCollection load_sets_for(const std::string& path, const SetsInput& input, Index items,
                            const std::vector<std::string>& model_names,
                            const CommonOptions& common);

}  // namespace surefield::cli
