#include "surefield/api/problem.hpp"

#include <optional>
#include <tuple>
#include <type_traits>

#include "surefield/core/error.hpp"
#include "surefield/models/balance.hpp"

namespace surefield {
namespace {

/// The model in flipped variables and the flips, if it is a field that flips make submodular.
struct Flipped {
  AnyModel model;
  std::vector<std::uint8_t> flips;
};

template <class M>
std::optional<Flipped> mended(const M& model) {
  if constexpr (std::is_same_v<M, GraphCut>) {
    return mended(model.field);
  } else if constexpr (std::is_same_v<M, PairwiseField> || std::is_same_v<M, GibbsField>) {
    auto flips = balancing_flips(model);
    if (!flips) return std::nullopt;
    return Flipped{flipped(model, *flips), std::move(*flips)};
  } else {
    return std::nullopt;
  }
}

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
  auto mend = std::visit([](const auto& m) { return mended(m); }, problem.model);
  if (mend) {
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
