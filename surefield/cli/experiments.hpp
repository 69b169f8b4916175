// The experiments of `surefield reproduce`, a row each: what it is called, what it needs, and how it is run and written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefield/cli/command.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield::cli {

struct ReproduceRequest {
  CommonOptions common;
  std::string what;
  std::string folder, stream;
  double seconds = 60;
  std::optional<double> certify, log_z, gap;
  bool only_published = false;
  bool all_pairs = false;
  std::optional<Index> folds;
  std::vector<std::string> categories;
  std::vector<std::string> learners;
};

/// An experiment that has been run: its answer in the format asked for, and what is missing from
/// it.
struct Answer {
  std::string text;
  std::vector<std::string> faults, left_out;
  bool complete = true;
};

struct Experiment {
  const char* name;
  const char* about;
  const char* data;  // what it needs in the folder; nullptr: no folder
  bool in_all;
  bool shared;  // by several processes; else the first does it
  Answer (*run)(const ReproduceRequest&, const ProgressReport&);
};

/// In the order of the help text.
std::span<const Experiment> experiments();

}  // namespace surefield::cli
