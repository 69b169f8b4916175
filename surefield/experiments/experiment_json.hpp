// What the JSON of all experiments shares; its shape is in docs/experiments.md.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/ordered_json.hpp"
#include "surefield/experiments/chart.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"

namespace surefield {

/// How an experiment went, whichever it was.
struct ExperimentStatus {
  std::string_view experiment;
  bool complete = true;
  std::vector<std::string> faults = {}, left_out = {};
  double seconds = 0;
};

/// The object that every experiment begins with, to be added to.
OrderedJson experiment_json(const ExperimentStatus& status);

OrderedJson json_interval(const std::optional<Interval>& interval);
OrderedJson json_charts(const std::vector<Chart>& charts);

/// The objects of several experiments, as text, in the one of experiment `all`; the seconds are
/// added up.
std::string all_experiments_json(std::span<const std::string> experiments, ExperimentStatus status);

}  // namespace surefield
