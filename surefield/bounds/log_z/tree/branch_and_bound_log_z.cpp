#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"

#include <algorithm>
#include <memory>

#include "surefield/bounds/log_z/sets_of_box.hpp"
#include "surefield/bounds/log_z/tree/facility_gains.hpp"
#include "surefield/core/error.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/submodular_difference.hpp"

namespace surefield {

namespace {

std::unique_ptr<const GainBounds> gains_of(const AnyModel& model, const FreeItems& which,
                                           double beta) {
  const auto* facility = model.as<FacilityLocation>();
  if (const auto* flid = model.as<Flid>()) facility = &flid->facility;
  // A full table pays unless most of it is zero. It has no place for the first item's benefit below
  // 0, which a single item may have and still be submodular.
  if (facility && 4 * facility->forest.entries() >= facility->size() * facility->benefit.groups())
    if (DenseFacility dense = dense_facility(*facility, which, beta); dense.floor_is_zero)
      return std::make_unique<FacilityGains>(std::move(dense));
  return std::make_unique<SetGains>(model.empty_set(), which, beta);
}

}  // namespace

LogZTree log_z_tree(const AnyModel& model, const Box* box, double beta) {
  FreeItems which = free_items(box, model.size(), "branch and bound");
  require_inverse_temperature(beta, "branch and bound");
  const auto parts = submodular_difference(model);
  if (!parts)
    fail("branch and bound: F is not submodular, nor a known difference of two such: ",
         *submodularity_violation(model));
  auto added = gains_of(parts->added, which, beta);
  auto taken = parts->taken ? gains_of(*parts->taken, which, beta) : nullptr;
  return LogZTree(std::move(added), std::move(taken), std::move(which), model.size(),
                  facts_with_parts(model, *parts, beta));
}

CertifiedLogZ refine_log_z(LogZTree& tree, const CertifiedLogZOptions& options,
                           const Subject& subject) {
  require(options.width >= 0, "branch and bound: the width is ", options.width,
          ", which must be >= 0");
  CertifiedLogZ result{.log_z = {},
                       .marginals = {},
                       .basis = tree.basis(),
                       .status = Status::kEpochLimit,
                       .splits = 0,
                       .leaves = 0};
  const Index end = tree.splits() + options.splits;
  while (true) {
    if (tree.log_z().width() <= options.width) {
      result.status = Status::kConverged;
      break;
    }
    if (!tree.can_split()) {
      if (tree.given_up() == 0) result.status = Status::kDone;
      break;
    }
    if (options.budget.spent() ||
        (options.observer && !options.observer({tree.log_z(), tree.splits(), tree.leaves()}))) {
      result.status = Status::kInterrupted;
      break;
    }
    if (tree.splits() >= end) break;
    if (!options.gives_up && tree.leaves() >= tree.room(options.budget)) break;
    const Index left = end - tree.splits();
    tree.refine(options.width,
                options.observer ? std::min(left, std::max<Index>(options.report_every, 1)) : left,
                options.budget, options.gives_up,
                subject.method.empty() ? nullptr : options.helpers, subject);
  }
  result.log_z = tree.log_z();
  result.splits = tree.splits();
  result.leaves = tree.leaves();
  if (options.marginals) result.marginals = tree.marginals();
  return result;
}

CertifiedLogZ branch_and_bound_log_z(const AnyModel& model, const Box* box,
                                     const CertifiedLogZOptions& options) {
  LogZTree tree = log_z_tree(model, box, options.beta);
  return refine_log_z(tree, options,
                      {std::string(kTreeSubject), packed(SetsOfBox::of(box, options.beta))});
}

Answerer log_z_tree_answerer(const AnyModel& model, std::string_view subject,
                             const Budget& budget) {
  const auto sets = unpacked<SetsOfBox>(subject);
  const auto tree = std::make_shared<const LogZTree>(log_z_tree(model, sets.get(), sets.beta));
  return [tree, budget](std::string_view question) { return tree->answer(question, budget); };
}

}  // namespace surefield
