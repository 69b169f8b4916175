#include "surefield/api/algorithm_table.hpp"

#include <array>
#include <string>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr std::string_view kHalf =
    "value >= optimum/2 + (value(a) + value(b))/4, and an upper bound of the optimum";

constexpr std::array kTable{
    AlgorithmRow{Algorithm::kDgMeanFieldHalf, "dg-mean-field-1/2", "DG-MeanField-1/2", kHalf,
                 "2 sweeps, then 1 an epoch",
                 "DR-DoubleGreedy, continued by coordinate ascent until it converges"},
    AlgorithmRow{Algorithm::kDrDoubleGreedy, "dr-double-greedy", "DR-DoubleGreedy", kHalf,
                 "2 sweeps", "one pass of two points that close in on each other"},
    AlgorithmRow{Algorithm::kCoordinateAscent, "coordinate-ascent", "CoordinateAscent",
                 "none: a local optimum", "1 sweep an epoch",
                 "classical mean field, from 0, 1, 1/2, or a random point (--start)"},
};

}  // namespace

std::span<const AlgorithmRow> algorithm_table() { return kTable; }

const AlgorithmRow& algorithm_named(std::string_view name) {
  std::string known;
  for (const auto& row : kTable) {
    if (row.name == name) return row;
    known += known.empty() ? "" : ", ";
    known += row.name;
  }
  fail("algorithm: '", name, "' is not known; there are ", known);
}

}  // namespace surefield
