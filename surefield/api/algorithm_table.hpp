// The algorithms by name: one row each, all there is to know about it. The command line, the list
// and the run read this table.
#pragma once

#include <span>
#include <string_view>

namespace surefield {

enum class Algorithm {
  kBest,
  kEqualised,
  kGuarded,
  kDrDoubleGreedy,
  kSubmodularDoubleGreedy,
  kBscb,
  kContinuous,
  kCoordinateAscent,
  kShrunkenFrankWolfe,
  kTwoPhaseFrankWolfe
};

struct AlgorithmRow {
  std::string_view name;        ///< on the command line and in files
  Algorithm id;                 ///< what runs first
  bool polished;                ///< whether coordinate ascent continues from there
  std::string_view paper_name;  ///< in the paper's tables; empty if it is not in the paper
  std::string_view guarantee;   ///< on a log-submodular model, a = bottom and b = top of the box
  std::string_view cost;        ///< in sweeps: one line and one set of every coordinate
  std::string_view about;
};

std::span<const AlgorithmRow> algorithm_table();

/// Throws Error, listing the names there are, for any other name.
const AlgorithmRow& algorithm_named(std::string_view name);

}  // namespace surefield
