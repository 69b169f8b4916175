#include "surefield/api/algorithm_table.hpp"

#include <array>
#include <string>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr std::string_view kHalf =
    "value >= optimum/2 + (value(a) + value(b))/4, and an upper bound of the optimum";
constexpr std::string_view kThird =
    "value >= optimum/3 + (value(a) + value(b))/3, and an upper bound of the optimum";
constexpr std::string_view kNone = "none: a local optimum";
constexpr std::string_view kPass = "2 sweeps";
constexpr std::string_view kPolished = "2 sweeps, then 1 an epoch";

constexpr std::array kAlgorithms{
    AlgorithmRow{"best", Algorithm::kBest, true, "", kHalf,
                 "about 20 sweeps, then 1 an epoch and start",
                 "contracts the box, runs equalised and continuous double greedy and four plain "
                 "starts, continues each "
                 "by coordinate ascent, keeps the best point and the least bound"},
    AlgorithmRow{"equalised", Algorithm::kEqualised, false, "", kHalf, kPass,
                 "double greedy that makes both losses of a step equal: the tightest certificate "
                 "of one pass"},
    AlgorithmRow{"guarded", Algorithm::kGuarded, false, "", kHalf, "2 sweeps, and 5 for the hint",
                 "double greedy that follows a hint, five sweeps of coordinate ascent, as far as "
                 "the guarantee allows"},
    AlgorithmRow{"dr-double-greedy", Algorithm::kDrDoubleGreedy, false, "DR-DoubleGreedy", kHalf,
                 kPass, "one pass of two points that close in on each other"},
    AlgorithmRow{"submodular-double-greedy", Algorithm::kSubmodularDoubleGreedy, false,
                 "Submodular-DoubleGreedy", kThird, kPass,
                 "double greedy that takes the move with the larger gain"},
    AlgorithmRow{
        "bscb", Algorithm::kBscb, false, "BSCB", kHalf, kPass,
        "double greedy that balances the two slopes; --epsilon bisects as the paper's code does"},
    AlgorithmRow{"continuous", Algorithm::kContinuous, false, "",
                 "value >= optimum/2 + (value(a) + value(b))/4 - O(1/rounds)",
                 "2 gradients a round",
                 "continuous double greedy: all coordinates move at once, in --rounds rounds"},
    AlgorithmRow{"coordinate-ascent", Algorithm::kCoordinateAscent, true, "CoordinateAscent", kNone,
                 "1 sweep an epoch",
                 "classical mean field, from 0, 1, 1/2 or a random point (--start)"},
    AlgorithmRow{"dg-mean-field-1/2", Algorithm::kDrDoubleGreedy, true, "DG-MeanField-1/2", kHalf,
                 kPolished, "DR-DoubleGreedy, continued by coordinate ascent"},
    AlgorithmRow{"dg-mean-field-1/3", Algorithm::kSubmodularDoubleGreedy, true, "DG-MeanField-1/3",
                 kThird, kPolished, "Submodular-DoubleGreedy, continued by coordinate ascent"},
    AlgorithmRow{"bscb-multiepoch", Algorithm::kBscb, true, "BSCB-Multiepoch", kHalf, kPolished,
                 "BSCB, continued by coordinate ascent"},
    AlgorithmRow{"shrunken-frank-wolfe", Algorithm::kShrunkenFrankWolfe, false, "ShrunkenFW",
                 "value >= optimum/e - O(1/epochs) for values >= 0", "1 gradient an epoch",
                 "Frank-Wolfe on the shrinking rest of the box; --multilinear-direction as the "
                 "paper's code does"},
    AlgorithmRow{"two-phase-frank-wolfe", Algorithm::kTwoPhaseFrankWolfe, false, "TwoPhaseFW",
                 "of the type optimum/4 for values >= 0", "1 gradient an epoch",
                 "Frank-Wolfe to a point of small gap, then again under what it leaves free"},
};

}  // namespace

std::span<const AlgorithmRow> algorithm_table() { return kAlgorithms; }

const AlgorithmRow& algorithm_named(std::string_view name) {
  std::string known;
  for (const auto& row : kAlgorithms) {
    if (row.name == name) return row;
    known += known.empty() ? "" : ", ";
    known += row.name;
  }
  fail("algorithm: '", name, "' is not known; there are ", known);
}

}  // namespace surefield
