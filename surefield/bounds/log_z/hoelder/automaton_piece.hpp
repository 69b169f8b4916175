// A set function that can be read off one item after the other with a small memory.
//
// Going through the items, a state is carried along; being in or out leads from state to state, and
// the state after the last item has a value, f(S). A concept of a coverage carries its uncovered
// part, a hyperedge whether its tail is met and its head still whole, a group under a concave
// function its sum. Where there would be more states than the cap, states of nearly the same value
// are merged into the largest of them: then f is overestimated, never underestimated.
//
//   V_t(s) = log(e^{V_{t+1}(out(s))} + e^{theta_t + V_{t+1}(in(s))})        V_T(s) = scale * f(s)
//
// Cost: O(sum of the states of all layers).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/hoelder/piece.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

struct AutomatonPiece {
  struct Layer {
    std::vector<std::uint32_t> out, in;  ///< per state, the state of the next layer
  };
  std::vector<std::uint32_t> items;  ///< one layer each
  std::vector<Layer> layers;
  std::vector<double> value{0};  ///< f, per state after the last layer
  bool merged = false;           ///< whether f is an overestimate

  PieceSum sum(std::span<const double> theta, double scale, std::span<double> marginal) const;
};

/// What an automaton is built from. Merging needs `worth` to keep its order: of two states the one
/// worth more now must be worth no less after whatever follows.
struct AutomatonRule {
  double start = 0;
  std::function<double(double state, std::size_t member, bool in)> next;
  std::function<double(double state)> worth;
};

/// Members are items of the model; the fixed ones are gone through at once, and the free ones
/// become the items of the piece, by their position among all free items.
AutomatonPiece make_automaton(std::span<const std::uint32_t> members, const Assignment& fixed,
                              std::span<const std::uint32_t> position, const AutomatonRule& rule,
                              std::size_t cap = 256);

}  // namespace surefield
