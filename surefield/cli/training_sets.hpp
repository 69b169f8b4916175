// A file of sets to learn from, named on the command line, with what may be said about it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "surefield/api/fit.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield::cli {

struct TrainingSetsInput {
  std::string path;
  std::string names;                ///< file of `id name` lines
  std::string items_are = "guess";  ///< or ids, names
  std::string blank = "skip";       ///< or empty, refuse
  Index first_id = 1, items = 0;
  bool skip_unknown = false;
};

/// SETS, --names, --items, --count, --first-id, --blank, --skip-unknown.
void add_training_sets(CLI::App& command, TrainingSetsInput& input);

/// Throws Error where the file holds no set.
SetCollection load_training_sets(const TrainingSetsInput& input);

/// Says what the data look like, and how often each oddity was met.
void say_about(const SetCollection& data, const SetStatistics& statistics,
               const TrainingSetsInput& input, const CommonOptions& common);

}  // namespace surefield::cli
