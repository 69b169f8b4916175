#include "surefield/experiments/trajectories.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "surefield/api/infer.hpp"

namespace surefield {
namespace {

constexpr double kPaperEpsilon = 1e-3;  // of BSCB

struct Pass {
  std::string_view one_epoch, many_epochs;  // the paper's names
  const char* algorithm;
  const char* continued;
};
constexpr std::array<Pass, 3> kPasses{{
    {"DR-DoubleGreedy", "DG-MeanField-1/2", "dr-double-greedy", "dg-mean-field-1/2"},
    {"Submodular-DoubleGreedy", "DG-MeanField-1/3", "submodular-double-greedy",
     "dg-mean-field-1/3"},
    {"BSCB", "BSCB-Multiepoch", "bscb", "bscb-multiepoch"},
}};

double after_one_epoch(const Problem& problem, const Pass& pass, const std::vector<Index>& order) {
  InferOptions how{.algorithm = pass.algorithm};
  how.given_order = {order};
  how.epsilon = kPaperEpsilon;
  return infer(problem, how).elbo;
}

double value_at(const Problem& problem, const std::vector<double>& point) {
  InferOptions how{.algorithm = "coordinate-ascent"};
  how.start_point = point;
  how.epochs = 0;
  return infer(problem, how).elbo;
}

/// Appends the points of whole epochs after the last one that is there, up to `last`; a run that
/// stands still has stopped and keeps its value.
void append_epochs(Trajectory& trajectory, const std::vector<TracePoint>& trace, std::size_t last) {
  for (const auto& now : trace)
    if (now.epoch > trajectory.points.back().first && now.epoch == std::floor(now.epoch))
      trajectory.points.emplace_back(now.epoch, now.value);
  while (trajectory.points.size() <= last)
    trajectory.points.emplace_back(static_cast<double>(trajectory.points.size()),
                                   trajectory.last());
}

InferOptions traced(const char* algorithm, std::size_t epochs) {
  InferOptions how{.algorithm = algorithm};
  how.epochs = epochs;
  how.epochs_given = true;
  how.tolerance = 0;
  how.trace = true;
  return how;
}

}  // namespace

std::vector<Trajectory> one_epoch_values(const Problem& problem, const std::vector<Index>& order) {
  std::vector<Trajectory> values;
  for (const auto& pass : kPasses)
    values.push_back({pass.one_epoch, {{1, after_one_epoch(problem, pass, order)}}});
  return values;
}

std::vector<Trajectory> multi_epoch_trajectories(const Problem& problem,
                                                 const std::vector<std::vector<Index>>& orders,
                                                 const std::vector<double>& random_start) {
  const std::size_t epochs = orders.size();
  std::vector<Trajectory> trajectories;
  const auto ascend = [&](std::string_view name, const std::vector<double>& start) {
    InferOptions how = traced("coordinate-ascent", epochs);
    how.given_order = orders;
    how.start_point = start;
    trajectories.push_back({name, {{0, value_at(problem, start)}}});
    append_epochs(trajectories.back(), infer(problem, how).trace, epochs);
  };
  ascend("CoordinateAscent-0", problem.box.low);
  ascend("CoordinateAscent-1", problem.box.high);
  const double corner =
      std::max(trajectories[0].points[0].second, trajectories[1].points[0].second);
  ascend("CoordinateAscent-Random", random_start);
  for (const auto& pass : kPasses) {
    InferOptions how = traced(pass.continued, epochs - 1);
    how.given_order = orders;
    how.epsilon = kPaperEpsilon;
    trajectories.push_back(
        {pass.many_epochs, {{0, corner}, {1, after_one_epoch(problem, pass, orders[0])}}});
    append_epochs(trajectories.back(), infer(problem, how).trace, epochs);
  }
  return trajectories;
}

std::vector<Trajectory> frank_wolfe_trajectories(const Problem& problem, std::size_t iterations) {
  std::vector<Trajectory> trajectories;
  for (const bool released : {true, false}) {
    InferOptions how = traced("shrunken-frank-wolfe", iterations);
    how.multilinear_direction = released;
    trajectories.push_back({released ? "ShrunkenFW-released" : "ShrunkenFW",
                            {{0, value_at(problem, problem.box.low)}}});
    append_epochs(trajectories.back(), infer(problem, how).trace, iterations);
  }
  return trajectories;
}

}  // namespace surefield
