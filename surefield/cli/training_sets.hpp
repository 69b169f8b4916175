// A file of sets to learn from, named on the command line, with what may be said about it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "surefield/api/fit.hpp"
#include "surefield/cli/basket_input.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield::cli {

struct TrainingSetsInput {
  std::string path;
  std::string names;                ///< file of `id name` lines
  std::string items_are = "guess";  ///< or ids, names
  std::optional<Index> first_id, items;
  bool skip_unknown = false;
  BasketInput baskets;
};

/// SETS, --names, --items, --count, --first-id, --skip-unknown and how the file is written.
void add_training_sets(CLI::App& command, TrainingSetsInput& input);

/// Says what was understood. The items are the labels of the file; with --names those of that file,
/// given by id or name; with --items ids, --count or --first-id all ids from the first to the last,
/// seen or not. The names are the labels. Throws Error where the file holds no set.
SetCollection load_training_sets(const TrainingSetsInput& input, const CommonOptions& common);

/// Says what the data look like, and how often each oddity was met.
void say_about(const SetCollection& data, const SetStatistics& statistics,
               const TrainingSetsInput& input, const CommonOptions& common);

}  // namespace surefield::cli
