// The paper's algorithms on one problem: values after one epoch, and the trajectories of those that
// go on.
//
//   CoordinateAscent-0, -1, -Random   every epoch a sweep
//   DG-MeanField-1/2, -1/3,           epoch 1 is the double greedy pass, every further one a sweep of
//   BSCB-Multiepoch                   coordinate ascent
//   ShrunkenFW, ShrunkenFW-released   every epoch a gradient; the authors' code leaves the entropy out of it
//
// All use the same order in the same epoch. A point at epoch 0 is the start; of double greedy, the
// better corner.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

struct Trajectory {
  std::string_view algorithm;                     ///< the paper's name
  std::vector<std::pair<double, double>> points;  ///< epoch, value

  double last() const { return points.back().second; }
};

inline auto fields_of(Trajectory& trajectory) {
  auto& [algorithm, points] = trajectory;
  return std::tie(algorithm, points);
}

/// Trajectory of one point, that at epoch 1, for each one-epoch algorithm.
std::vector<Trajectory> one_epoch_values(const Problem& problem, const std::vector<Index>& order);

/// The six algorithms of many epochs, as many as there are orders.
std::vector<Trajectory> multi_epoch_trajectories(const Problem& problem,
                                                 const std::vector<std::vector<Index>>& orders,
                                                 const std::vector<double>& random_start);

/// Shrunken Frank-Wolfe, as released and with the whole gradient.
std::vector<Trajectory> frank_wolfe_trajectories(const Problem& problem, std::size_t iterations);

}  // namespace surefield
