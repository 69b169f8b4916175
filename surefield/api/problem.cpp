#include "surefield/api/problem.hpp"

#include <optional>
#include <tuple>

#include "surefield/core/error.hpp"
#include "surefield/models/balance.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"

namespace surefield {
namespace {

/// The model in flipped variables and the flips, if it is a field that flips make submodular.
struct Flipped {
  AnyModel model;
  std::vector<std::uint8_t> flips;
};

template <class Field>
std::optional<Flipped> mended_field(const Field& model) {
  auto flips = balancing_flips(model);
  if (!flips) return std::nullopt;
  return Flipped{flipped(model, *flips), std::move(*flips)};
}

std::optional<Flipped> mended(const AnyModel& model) {
  if (const auto* cut = model.as<GraphCut>()) return mended_field(cut->field);
  if (const auto* field = model.as<PairwiseField>()) return mended_field(*field);
  if (const auto* field = model.as<GibbsField>()) return mended_field(*field);
  return std::nullopt;
}

/// Whether 1 - v loses v: then the complement of an interval is another one.
bool survives_flip(double v) { return 1 - (1 - v) == v; }

void flip(Box& box, const std::vector<std::uint8_t>& flips) {
  for (Index i = 0; i < flips.size(); ++i)
    if (flips[i]) std::tie(box.low[i], box.high[i]) = std::pair(1 - box.high[i], 1 - box.low[i]);
}

}  // namespace

Problem make_problem(AnyModel model, std::vector<std::string> items, Box box,
                     ProblemOptions options) {
  const Index n = size_of(model);
  require(items.empty() || items.size() == n, "items: there are ", items.size(), " names for ", n,
          " items");
  if (box.size() == 0 && n > 0) box = unit_box(n);
  require_inside_unit(box, n);
  Problem problem{.model = std::move(model),
                  .kind = {},
                  .items = std::move(items),
                  .box = std::move(box),
                  .flips = {},
                  .violation = {}};
  problem.kind = kind_of(problem.model);
  const auto violation = submodularity_violation(problem.model);
  if (!violation) return problem;
  if (auto mend = mended(problem.model)) {
    for (Index i = 0; i < n; ++i)
      require(!mend->flips[i] ||
                  (survives_flip(problem.box.low[i]) && survives_flip(problem.box.high[i])),
              "box: item ", i, " is bounded to [", problem.box.low[i], ", ", problem.box.high[i],
              "], but it must be flipped to make the model log-submodular, and the complement of "
              "that interval is not a pair of doubles");
    problem.model = std::move(mend->model);
    problem.flips = std::move(mend->flips);
    flip(problem.box, problem.flips);
    return problem;
  }
  require(options.no_guarantee, problem.kind, ": not log-submodular: ", *violation,
          "; no flip of variables mends it (--no-guarantee runs it all the same)");
  problem.violation = *violation;
  return problem;
}

std::vector<double> in_user_variables(const Problem& problem, std::vector<double> point) {
  for (Index i = 0; i < problem.flips.size(); ++i)
    if (problem.flips[i]) point[i] = 1 - point[i];
  return point;
}

std::vector<double> in_problem_variables(const Problem& problem, std::vector<double> point) {
  require(point.size() == problem.size(), "point: it has ", point.size(),
          " coordinates, but there are ", problem.size(), " items");
  point = in_user_variables(problem, std::move(point));  // a flip undoes itself
  for (Index i = 0; i < point.size(); ++i) point[i] = problem.box[i].clamp(point[i]);
  return point;
}

Box user_box(const Problem& problem) {
  Box box = problem.box;
  flip(box, problem.flips);
  return box;
}

}  // namespace surefield
