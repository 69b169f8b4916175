#include "surefield/api/log_z_methods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "surefield/api/infer.hpp"
#include "surefield/bounds/elbo/field_of_terms.hpp"
#include "surefield/bounds/log_z/exact/dpp.hpp"
#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/exact/enumeration.hpp"
#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/bounds/log_z/harris/harris_search.hpp"
#include "surefield/bounds/log_z/hoelder/conditioned.hpp"
#include "surefield/bounds/log_z/hoelder/forest_tiles.hpp"
#include "surefield/bounds/log_z/hoelder/hoelder.hpp"
#include "surefield/bounds/log_z/sampling/annealed_importance.hpp"
#include "surefield/bounds/log_z/supergradient/fractional_supergradient.hpp"
#include "surefield/bounds/log_z/supergradient/supergradients.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/bounds/spectral/spectral_root.hpp"
#include "surefield/core/error.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield {
namespace {

constexpr Index kQuadratic = 400;     // items: methods of n^2 gains or more
constexpr Index kDearGains = 60;      // items: the same, where a gain is a call or a factorisation
constexpr Index kSplittable = 20000;  // items: branch and bound, Harris' inequality
constexpr Index kSplitsOfAnySign = 200'000;  // of branch and bound, which may then lead nowhere
constexpr double kCaseWork = 1e7;            // exponentials of all cases of Hoelder's bound: 1 s

void require_few(const LogZTask& task, std::string_view method, Index limit) {
  require(task.free() <= limit, method, ": there are ", task.free(),
          " free items, more than the limit of ", limit);
}

void determinant(LogZTask& task) {
  const auto* const model = task.model().as<LogDet>();
  require(model != nullptr, "determinant: the model is not a log det");
  task.exactly(exact_dpp(*model, task.box(), task.beta()));
}

void best_items(LogZTask& task) {
  const FlidExactOptions how{.beta = task.beta(),
                             .limit = task.limits().steps,
                             .marginals = task.options().marginals,
                             .budget = task.budget()};
  if (const auto* flid = task.model().as<Flid>())
    return task.exactly(flid_exact(*flid, &task.box(), how));
  if (const auto* fldc = task.model().as<Fldc>())
    return task.exactly(flid_exact(*fldc, &task.box(), how));
  const auto* const facility = task.model().as<FacilityLocation>();
  require(facility != nullptr, "best items: the model is not a FLID, FLDC or facility location");
  task.exactly(flid_exact(*facility, &task.box(), how));
}

void elimination(LogZTask& task) {
  require(task.model().size() <= kEliminable, "elimination: there are ", task.model().size(),
          " items, more than the limit of ", kEliminable);
  task.exactly(eliminate(task.model(), &task.box(),
                         {.beta = task.beta(),
                          .limit = task.limits().width,
                          .budget = task.budget(),
                          .marginals = task.options().marginals}));
}

void enumeration(LogZTask& task) {
  require_few(task, "enumeration", task.limits().enumerable);
  task.exactly(enumerate_log_z(
      task.model(), &task.box(),
      {.beta = task.beta(), .marginals = task.options().marginals, .budget = task.budget()}));
}

void mean_field(LogZTask& task) {
  require(!task.facts().estimated, "mean field: the objective is an estimate by sampling");
  const Result found =
      infer(task.problem(),
            {.inverse_temperature = task.beta(), .quick_proof = false, .budget = task.budget()});
  require(found.log_z_lower.has_value(), "mean field: it failed");
  task.mean_field = in_problem_variables(task.problem(), found.marginals);
  task.at_least(*found.log_z_lower, task.facts().value_basis());
}

ConditionedOptions cases(const LogZTask& task, Index items) {
  ConditionedOptions how;
  how.beta = task.beta();
  how.items = items;
  how.budget = task.budget();
  how.start = task.mean_field;
  how.helpers = task.options().helpers;
  return how;
}

void conditioned_mean_field(LogZTask& task) {
  require_few(task, "conditioned mean field", kQuadratic);
  task.at_least(
      conditioned_lower_bound(task.model(), &task.box(), cases(task, task.options().conditioned))
          .bound,
      task.facts().value_basis());
}

void hoelder(LogZTask& task) {
  HoelderOptions how{.beta = task.beta(), .budget = task.budget()};
  if (task.options().goal == LogZGoal::kQuick) {
    how.iterations = task.free() > kForestsFrom ? 6 : 60;
    how.width = 4;
  }
  task.at_most(hoelder_bound(task.model(), &task.box(), how).log_z_upper, Basis::kProved);
}

void forests(LogZTask& task) {
  const ForestOptions how{
      .beta = task.beta(), .rounds = forest_rounds(task.free()), .budget = task.budget()};
  const auto* const cut = task.model().as<GraphCut>();
  const auto* const field = cut ? &cut->field : task.model().as<PairwiseField>();
  require(field != nullptr, "forests: the model is not a pairwise field or a cut");
  const double upper = forest_bound_by_tiles(*field, task.box(), how);
  require(std::isfinite(upper), "forests: the numbers are beyond the range of a double");
  task.at_most(upper, Basis::kProved);
}

/// As many items as asked for, or as few as keep all cases together within a second or two. Counted
/// in work, not in seconds, so that the answer is the same on every machine.
Index affordable_cases(const LogZTask& task) {
  const HoelderSplit split = split_for_hoelder(task.model(), &task.box(), task.beta());
  const double one = 60 * operations_of(split, HoelderOptions{}.width) / 10;
  Index items = task.options().conditioned;
  while (items > 0 && std::ldexp(one, static_cast<int>(items)) > kCaseWork) --items;
  return items;
}

void conditioned_hoelder(LogZTask& task) {
  require_few(task, "conditioned hoelder", kQuadratic);
  const Index items = affordable_cases(task);
  require(items > 0,
          "conditioned hoelder: one bound of this model costs so much that not even two cases are "
          "affordable");
  task.at_most(conditioned_upper_bound(task.model(), &task.box(), cases(task, items)).bound,
               Basis::kProved);
}

void spectral(LogZTask& task) {
  auto field = field_of_terms(task.model());
  require(field.has_value(), "spectral: the model has terms other than items and pairs");
  const PairwiseField model = at_inverse_temperature(std::move(*field), task.beta());
  // The numbers of the field differ from those of the model by no more than its values can.
  const bool triangles = task.options().goal != LogZGoal::kQuick && !task.is_exact();
  const double upper =
      spectral_log_z(model, task.box(), {.triangles = triangles, .budget = task.budget()});
  task.at_most(upper + task.facts().value_error, Basis::kProved);
}

void supergradient(LogZTask& task, std::string_view name, Supergradient kind) {
  require_few(task, name,
              kind != Supergradient::kBar && task.facts().estimated ? kDearGains : kQuadratic);
  const Supergradients bounds(task.model(), &task.box(), task.beta(), task.budget());
  task.at_most(
      kind == Supergradient::kBar ? bounds.bar().log_z_upper : bounds.search(kind).log_z_upper,
      task.facts().basis());
}
void bar(LogZTask& task) { supergradient(task, "supergradient, bar", Supergradient::kBar); }
void grow(LogZTask& task) { supergradient(task, "supergradient, grow", Supergradient::kGrow); }
void shrink(LogZTask& task) {
  supergradient(task, "supergradient, shrink", Supergradient::kShrink);
}

void fractional(LogZTask& task) {
  require_few(task, "fractional supergradient", kQuadratic);
  const double upper =
      fractional_bound(task.model(), &task.box(), {.beta = task.beta(), .budget = task.budget()})
          .log_z_upper;
  task.at_most(upper, task.facts().basis());
}

void harris(LogZTask& task) {
  require_few(task, "harris", kSplittable);
  HarrisOptions how{.beta = task.beta(),
                    .width = task.options().width,
                    .entries = task.limits().entries,
                    .budget = task.budget()};
  how.helpers = task.options().helpers;
  if (task.options().watcher)
    how.observer = [&](const Interval& now) {
      task.tell(now);
      return true;
    };
  const HarrisLogZ found = harris_log_z(task.model(), &task.box(), how);
  task.at_least(found.log_z.low, Basis::kProved);
  task.at_most(found.log_z.high, Basis::kProved);
}

void branch_and_bound(LogZTask& task) {
  require_few(task, "branch and bound", kSplittable);
  require(task.is_exact() || !task.answered("harris") || task.lacks_marginals(),
          "branch and bound: the bounds by Harris' inequality are narrower");
  CertifiedLogZOptions how{.beta = task.beta(), .width = task.options().width};
  how.marginals = task.options().marginals && !task.is_exact();
  // Marginals are found from the leaves in the end, which takes about half as long as to find the leaves.
  how.budget = how.marginals ? task.budget().part(0.6) : task.budget();
  how.helpers = task.options().helpers;
  if (task.options().watcher)
    how.observer = [&](const CertifiedLogZProgress& now) {
      task.tell(now.log_z);
      return true;
    };
  how.gives_up = true;
  how.splits = task.facts().is_submodular() ? task.limits().splits
                                            : std::min(task.limits().splits, kSplitsOfAnySign);
  auto found = branch_and_bound_log_z(task.model(), &task.box(), how);
  task.at_least(found.log_z.low, found.basis);
  task.at_most(found.log_z.high, found.basis);
  if (how.marginals) task.certified_marginals(std::move(found.marginals));
}

void annealing(LogZTask& task) {
  const auto found = annealed_importance(task.model(), &task.box(),
                                         {.beta = task.beta(),
                                          .steps = 300,
                                          .runs = 20,
                                          .seed = task.options().seed,
                                          .budget = task.budget()});
  task.estimate(found.log_z, found.standard_error);
}

constexpr std::array kMethods{
    LogZMethodRow{"determinant", "exact", "log det at beta = 1", "O(n^3)", determinant},
    LogZMethodRow{"best items", "exact", "FLID, FLDC, facility location",
                  "at most 2e9 steps of 10 ns", best_items},
    LogZMethodRow{"elimination", "exact", "terms over few items each, of low treewidth",
                  "O(2^width)", elimination},
    LogZMethodRow{"enumeration", "exact", "any model of at most 30 free items", "2^free gains",
                  enumeration},
    LogZMethodRow{"mean field", "lower", "any model whose extension is exact", "as infer",
                  mean_field},
    LogZMethodRow{"conditioned mean field", "lower", "the same, up to 400 free items",
                  "2^k times mean field", conditioned_mean_field},
    LogZMethodRow{"hoelder", "upper", "any model with terms", "30 to 200 evaluations of all parts",
                  hoelder},
    LogZMethodRow{"forests", "upper", "pairwise fields and cuts of few edges an item",
                  "linear in the edges", forests},
    LogZMethodRow{"conditioned hoelder", "upper", "any model with terms, up to 400 free items",
                  "2^k times hoelder", conditioned_hoelder},
    LogZMethodRow{"spectral", "upper", "items and pairs alone, of any sign",
                  "some 20 factorisations; beyond 250 items 100 sweeps and one factorisation",
                  spectral},
    LogZMethodRow{"supergradient, bar", "upper", "submodular, up to 400 free items",
                  "one submodular minimisation", bar},
    LogZMethodRow{"supergradient, grow", "upper", "submodular, up to 400 free items",
                  "n^2 gains a sweep", grow},
    LogZMethodRow{"supergradient, shrink", "upper", "submodular, up to 400 free items",
                  "n^2 gains a sweep", shrink},
    LogZMethodRow{"fractional supergradient", "upper",
                  "submodular with an exact extension, up to 400 free items", "n gradients a sweep",
                  fractional},
    LogZMethodRow{"harris", "interval", "best items alone: FLID, facility location, sums of them",
                  "as long as it may take, up to 2e8 steps of 20 ns", harris},
    LogZMethodRow{"branch and bound", "interval",
                  "submodular or a difference of two such, up to 20000 free items",
                  "as long as it may take", branch_and_bound},
    LogZMethodRow{"annealed importance sampling", "estimate", "any model", "6000 sweeps",
                  annealing},
};

}  // namespace

std::span<const LogZMethodRow> log_z_methods() { return kMethods; }

const LogZMethodRow& log_z_method(std::string_view name) {
  const auto* const found = std::ranges::find(kMethods, name, &LogZMethodRow::name);
  require(found != kMethods.end(), "log Z: there is no method '", name, "'");
  return *found;
}

}  // namespace surefield
