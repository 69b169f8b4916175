#include "surefield/report/endings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "surefield/report/best_set_report.hpp"

namespace surefield {

Ending ending_of(const Result& result, const InferWork& work, bool interrupted) {
  Ending ending{
      .status = result.status, .epochs_asked = work.how.epochs_given, .interrupted = interrupted};
  if (work.how.certify && result.status != Status::kFailed)
    ending.gap = {{distance(result.elbo, result.upper_bound) / std::max(1.0, std::abs(result.elbo)),
                   work.how.wanted_gap}};
  return ending;
}

Ending ending_of(const LogZResult& result, const LogZWork& work, bool interrupted) {
  Ending ending{.interrupted = interrupted};
  if (!result.failure.empty())
    ending.status = Status::kFailed;
  else if (!result.exact)
    ending.width = {{distance(result.lower, result.upper), work.how.width}};
  if (work.how.marginals && result.marginals_method.empty())
    ending.missing.emplace_back("no method gives marginals of this model");
  return ending;
}

Ending ending_of(const SampleResult& result, const SampleWork& work, bool interrupted) {
  Ending ending{.interrupted = interrupted};
  if (result.sets.size() < work.how.count)
    ending.missing.push_back(
        fmt::format("{} of the {} sets are drawn", result.sets.size(), work.how.count));
  return ending;
}

Ending ending_of(const BestSetResult& result, const BestSetWork& work, bool interrupted) {
  Ending ending{.interrupted = interrupted};
  if (result.status == Status::kFailed)
    ending.status = Status::kFailed;
  else
    ending.gap = {{relative_gap(result), work.how.wanted_gap}};
  return ending;
}

Ending ending_of(const AgreeResult& result, const AgreeWork& work, bool interrupted) {
  // The epochs of the mean field are no question: the interval says what was found.
  return {.status = result.result.status,
          .epochs_asked = true,
          .interrupted = interrupted,
          .width = {{result.bounds.width(), work.how.width}}};
}

Ending ending_of(std::span<const AgreePairs> tables, const AgreeWork& work, bool interrupted) {
  double width = 0;
  for (const AgreePairs& table : tables) {
    width = std::max(width, table.width());
    interrupted |= !table.complete;
  }
  return {.interrupted = interrupted, .width = {{width, work.how.width}}};
}

Ending ending_of(const RecommendResult& result, bool interrupted) {
  return {.status = result.result.status, .interrupted = interrupted};
}

Ending ending_of(const Evaluation& result, const EvaluateWork& work, bool interrupted) {
  Ending ending{.interrupted = interrupted || !result.is_complete()};
  if (!result.log_z_exact)
    ending.width = {{distance(result.log_z_lower, result.log_z_upper), work.how.width}};
  return ending;
}

Ending ending_of(const ModelSelection& result, bool interrupted) {
  return {.interrupted = interrupted || !result.complete()};
}

Ending ending_of(std::span<const FitEntry> entries, const FitWork& work, Index models,
                 bool width_given, bool interrupted) {
  Ending ending{.epochs_asked = true, .interrupted = interrupted};
  if (entries.size() < models)
    ending.missing.push_back(fmt::format("folds not learned: {}", models - entries.size()));
  for (const FitEntry& entry : entries) {
    if (entry.fit.status == Status::kInterrupted) ending.interrupted = true;
    if (entry.fit.status == Status::kFailed) ending.status = Status::kFailed;
    // Of models of both signs log Z is rarely known closely: that is short of what was asked for only
    // if it was asked for.
    const bool both_signs = entry.fit.model_name == "pairwise" || entry.fit.model_name == "fldc";
    if (!work.folds || (both_signs && !width_given)) continue;
    const double width = entry.held_out ? entry.held_out->upper - entry.held_out->lower
                                        : std::numeric_limits<double>::infinity();
    ending.width = {{std::max(width, ending.width ? ending.width->got : 0), work.width}};
  }
  return ending;
}

}  // namespace surefield
