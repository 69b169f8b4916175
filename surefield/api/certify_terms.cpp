// Certificates of sums of terms: dual decomposition by parts, boxes, quadratics above terms, log Z over sets, differences.
#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/api/certifier.hpp"
#include "surefield/api/helping.hpp"
#include "surefield/bounds/elbo/box_search.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/difference_boxes.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/bounds/spectral/cover_boxes.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr const char* kBySets = "branch and bound of log Z";
constexpr Index kFewItems = 20;                         // with concepts: boxes are worth a try
constexpr Index kDenseItems = 400;                      // a quadratic above concepts is dense
constexpr std::size_t kQuickMembers = 10000;            // beyond, one iteration takes seconds
constexpr double kRootShare = 0.05, kBoxesShare = 0.1;  // of the time, before quadratics

std::size_t members_of(const DualDecomposition<TermPart>& dual) {
  std::size_t members = 0;
  for (const TermPart& part : dual.parts()) members += part.members().size();
  return members;
}

/// Of the dual, for about the cost of inference: fewer where there are many or large parts.
std::size_t quick_iterations(const DualDecomposition<TermPart>& dual) {
  constexpr std::size_t kMost = 40, kWork = 80000;  // members of parts visited
  return std::clamp(kWork / std::max<std::size_t>(1, members_of(dual)), std::size_t{1}, kMost);
}

}  // namespace

std::optional<Certificate> Certifier::by_terms() const {
  if (!problem_.is_submodular()) return by_difference();
  auto parts = term_parts(model_, beta());
  if (!parts) return by_boxes_and_covers();
  if (options_.effort == 1 && members_of(parts->dual) > kQuickMembers) return std::nullopt;
  const bool covers = parts->has_covers && !parts->has_bests;
  if (options_.effort > 1 && covers && model_.size() <= kDenseItems)
    return by_root_and_covers(parts->dual);
  const bool boxes = parts->has_pairs || (covers && model_.size() <= kFewItems);
  return boxes ? by_root_and_boxes(parts->dual) : by_dimension(parts->dual, options_.effort);
}

Certificate Certifier::by_dimension(const DualDecomposition<TermPart>& dual,
                                    std::size_t nodes) const {
  const Elbo elbo(model_.at(point_), beta());
  constexpr const char* kMethod = "branch and bound over dual decomposition by dimension";
  BranchAndBoundOptions how = search(kPartsSubject, nodes);
  if (options_.helpers != nullptr) how.parts = {kPartBoundsSubject, packed(beta())};
  if (options_.effort == 1) how.root_iterations = quick_iterations(dual), how.centred_rounds = 0;
  const auto proof = branch_and_bound(elbo, dual, problem_.box, how, teller(kMethod));
  return certificate(kMethod, *proof.report.upper_bound, proof.report.value, proof.report.point,
                     proof.report.status, facts_.basis());
}

Certificate Certifier::by_root_and_boxes(const DualDecomposition<TermPart>& dual) const {
  Certificate found = by_dimension(dual, 1);
  improve(found, [&](const Certifier& from) { return from.by_boxes(kManyBoxes); });
  if (found.status == Status::kEpochLimit && options_.effort > 1)
    improve(found, [&](const Certifier& from) { return from.by_dimension(dual, options_.effort); });
  return found;
}

Certificate Certifier::by_boxes_and_covers() const {
  if (options_.effort == 1 || model_.size() > kDenseItems || !cover_terms(model_, beta()))
    return by_boxes(options_.effort);
  Certificate found = within(kBoxesShare).by_boxes(kManyBoxes);
  improve(found, [&](const Certifier& from) { return from.by_covers(); });
  if (found.status == Status::kEpochLimit)
    improve(found, [&](const Certifier& from) { return from.by_boxes(options_.effort); });
  return found;
}

Certificate Certifier::by_root_and_covers(const DualDecomposition<TermPart>& dual) const {
  Certificate found = within(kRootShare).by_dimension(dual, 1);
  if (model_.size() <= kFewItems)
    improve(found,
            [&](const Certifier& from) { return from.within(kBoxesShare).by_boxes(kManyBoxes); });
  improve(found, [&](const Certifier& from) { return from.by_sets(); });
  improve(found, [&](const Certifier& from) { return from.by_covers(); });
  if (found.status == Status::kEpochLimit)
    improve(found, [&](const Certifier& from) { return from.by_dimension(dual, options_.effort); });
  return found;
}

Certificate Certifier::by_sets() const {
  // Shares of the time, and splits.
  constexpr std::pair<double, Index> kStages[] = {{0.08, 100'000}, {0.3, 1'000'000}};
  Box sets = problem_.box;
  for (Index i = 0; i < sets.size(); ++i)
    if (!is_of_sets(sets[i])) sets.low[i] = 0, sets.high[i] = 1;
  LogZTree tree = log_z_tree(model_, &sets, beta());
  const double enough = value_ + options_.wanted_gap * std::abs(value_) - rounding_.value;
  const auto going = [&](const CertifiedLogZProgress& now) {
    tell(value_, now.log_z.high, kBySets);
    return now.log_z.high > enough && now.log_z.low < std::min(enough, options_.known_bound);
  };
  for (const auto& [share, splits] : kStages) {
    refine_log_z(tree, {.beta = beta(),
                        .width = 0,
                        .splits = std::min(splits, 20 * options_.effort),
                        .budget = options_.budget.part(share),
                        .observer = going});
    if (tree.log_z().high > options_.known_bound || tree.log_z().high <= enough ||
        tree.log_z().low > enough)
      break;
  }
  const double bound = tree.log_z().high;
  return certificate(kBySets, bound, value_, point_,
                     bound <= enough ? Status::kConverged : Status::kEpochLimit, tree.basis());
}

Certificate Certifier::by_covers() const {
  constexpr const char* kMethod = "branch and bound over quadratics above terms";
  try {
    const auto terms = cover_terms(model_, beta());
    const auto proof =
        cover_boxes(model_, *terms, beta(), problem_.box, inside(problem_.box, point_),
                    {.relative_gap = options_.wanted_gap,
                     .nodes = options_.effort,
                     .known_bound = options_.known_bound,
                     .budget = options_.budget,
                     .helpers = options_.helpers,
                     .subject = subject(kCoversSubject, problem_.box)},
                    rounding_.slope);
    return certificate(kMethod, proof.bound, proof.value, proof.point, proof.status,
                       facts_.basis());
  } catch (const TooMuch&) {
    return certificate(kMethod, options_.known_bound, value_, point_, Status::kEpochLimit,
                       Basis::kProved);
  }
}

Certificate Certifier::by_boxes(std::size_t nodes) const {
  const char* const method =
      difference_ ? "branch and bound over boxes of a difference" : "branch and bound over boxes";
  const BranchAndBoundOptions how =
      search(difference_ ? kDifferenceSubject : kBoxesSubject, std::min(nodes, options_.effort));
  const auto at = [&](std::span<const double> x) { return Elbo(model_.at(x), beta()); };
  const auto proof = difference_
                         ? difference_boxes(model_, *difference_, beta(), problem_.box,
                                            inside(problem_.box, point_), how, teller(method))
                         : box_search(at, problem_.box, point_, how, teller(method));
  return certificate(method, *proof.report.upper_bound, proof.report.value, proof.report.point,
                     proof.report.status, facts_.basis());
}

std::optional<Certificate> Certifier::by_difference() const {
  auto parts = submodular_difference(model_);
  if (!parts || !parts->taken) return std::nullopt;
  Certifier mixed = *this;
  mixed.facts_ = facts_with_parts(model_, *parts, beta());
  mixed.rounding_ = pass_rounding(mixed.facts_, model_.size(), value_);
  mixed.difference_ = std::make_shared<const SubmodularDifference>(std::move(*parts));
  if (!std::isfinite(mixed.rounding_.value)) return std::nullopt;
  return mixed.by_boxes_and_covers();
}

}  // namespace surefield
