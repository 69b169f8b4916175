#include "surefield/api/infer.hpp"

#include <chrono>
#include <cmath>
#include <type_traits>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/api/algorithm_table.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/colouring.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr Index kLarge = 10000;  // from here on cache misses and vector width matter more than the order itself

template <class M>
const PairwiseField* field_of_model(const M& model) {
  if constexpr (std::is_same_v<M, PairwiseField>)
    return &model;
  else if constexpr (std::is_same_v<M, GraphCut>)
    return &model.field;
  else
    return nullptr;
}

template <class M>
Order order_of(const InferOptions& options, const M& model) {
  const Index n = model.size();
  const PairwiseField* const field = field_of_model(model);
  const bool automatic = options.order == "auto";
  if (options.order == "coloured" || (automatic && field && n >= kLarge)) {
    require(field != nullptr, "order: coloured needs a pairwise field or a cut, but the model is ", M::kKind);
    auto colouring = colour_in_blocks(*field);
    return Order::coloured(n, std::move(colouring.order), std::move(colouring.class_ends));
  }
  if (automatic || options.order == "natural") return Order::natural(n);
  require(options.order == "shuffled", "order: '", options.order,
          "' is not known; there are auto, natural, shuffled, coloured");
  return Order::shuffled(n, options.seed);
}

std::vector<double> start_of(const InferOptions& options, const Box& box) {
  if (options.start == "low") return box.low;
  if (options.start == "high") return box.high;
  std::vector<double> x(box.size());
  Random random(options.seed);
  const bool middle = options.start == "middle";
  require(middle || options.start == "random", "start: '", options.start,
          "' is not known; there are low, high, middle, random");
  for (Index i = 0; i < x.size(); ++i)
    x[i] = box[i].clamp(box.low[i] + box[i].width() * (middle ? 0.5 : random.uniform()));
  return x;
}

template <Model M>
Report run(const M& model, const Problem& problem, const InferOptions& options,
           const Observer& observer) {
  const auto objective = [&](std::span<const double> x) {
    return Elbo(model.at(x), options.inverse_temperature);
  };
  const Box& box = problem.box;
  Order order = order_of(options, model);
  CoordinateAscentOptions ascent{
      .epochs = options.epochs, .tolerance = options.tolerance, .trace = options.trace};
  const Algorithm algorithm = algorithm_named(options.algorithm).id;
  if (algorithm == Algorithm::kCoordinateAscent)
    return coordinate_ascent(objective(start_of(options, box)), box, std::move(order), ascent,
                             observer);

  Report first =
      double_greedy(objective(box.low), objective(box.high), order.epoch(0), Proportional{}).report;
  TracePoint settled{1, first.value, 0};
  const bool go_on = !observer || observer(settled);
  if (options.trace) first.trace.push_back(settled);
  if (algorithm == Algorithm::kDrDoubleGreedy) return first;
  if (!go_on) {
    first.status = Status::kInterrupted;
    return first;
  }
  ascent.first_epoch = 1;
  const Observer shifted =
      observer ? Observer([&](TracePoint& now) { return now.epoch += 1, observer(now); })
               : Observer();
  Report second = coordinate_ascent(objective(first.point), box, std::move(order), ascent, shifted);
  if (!observer)
    for (auto& point : second.trace) point.epoch += 1;
  second.trace.insert(second.trace.begin(), first.trace.begin(), first.trace.end());
  second.epochs += 1;
  second.upper_bound = first.upper_bound;
  return second;
}

std::string guarantee_of(const Problem& problem, const InferOptions& options, bool estimated) {
  if (!problem.is_submodular()) return "none: " + problem.violation;
  if (estimated) return "none: the objective is an estimate by sampling";
  return std::string(algorithm_named(options.algorithm).guarantee);
}

}  // namespace

Result infer(const Problem& problem, const InferOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  require(std::isfinite(options.tolerance) && options.tolerance >= 0, "tolerance: it is ",
          options.tolerance, ", which must be finite and >= 0");
  require(!options.seconds || *options.seconds >= 0, "seconds: it is ", options.seconds.value_or(0),
          ", which must be >= 0");
  Observer observer;
  if (options.trace || options.seconds || options.observer)
    observer = [&](TracePoint& now) {
      now.seconds = elapsed();
      return (!options.observer || options.observer(now)) &&
             (!options.seconds || now.seconds < *options.seconds);
    };

  Report report = std::visit(
      [&](const auto& model) { return run(model, problem, options, observer); }, problem.model);
  const double fresh = std::visit(
      [&](const auto& model) {
        return Elbo(model.at(report.point), options.inverse_temperature).value();
      },
      problem.model);

  const bool estimated = is_estimated(problem.model);
  Result result;
  result.command = "infer";
  result.model_kind = problem.kind;
  result.items = problem.items;
  result.objective = "elbo";
  result.algorithm = options.algorithm;
  result.status = report.status;
  result.elbo = fresh;
  const bool drifted = !(std::abs(fresh - report.value) <= 1e-6 * std::max(1.0, std::abs(fresh)));
  if (drifted || !std::isfinite(fresh)) {
    result.status = Status::kFailed;
    result.notes.push_back(message("the running value ", report.value, " is not the value ", fresh,
                                   " recomputed at the point returned"));
  }
  if (problem.is_submodular() && !estimated && result.status != Status::kFailed) {
    result.upper_bound = report.upper_bound;
    if (result.upper_bound) *result.upper_bound = std::max(*result.upper_bound, fresh);
  }
  result.certified_global =
      result.upper_bound && *result.upper_bound - fresh <= 1e-6 * std::max(1.0, std::abs(fresh));
  if (!estimated && result.status != Status::kFailed) result.log_z_lower = fresh;
  result.marginals = in_user_variables(problem, std::move(report.point));
  result.trace = std::move(report.trace);
  result.guarantee = guarantee_of(problem, options, estimated);
  Index flipped = 0;
  for (const auto flip : problem.flips) flipped += flip;
  if (flipped > 0)
    result.notes.push_back(
        message(flipped, " of ", problem.size(),
                " variables were flipped to make the model log-submodular, and flipped back"));
  if (estimated)
    result.notes.push_back("the elbo is an estimate by sampling, not a lower bound of log Z");
  result.seed = options.seed;
  result.inverse_temperature = options.inverse_temperature;
  result.seconds = elapsed();
  return result;
}

}  // namespace surefield
