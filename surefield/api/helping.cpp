#include "surefield/api/helping.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "surefield/bounds/elbo/box_search.hpp"
#include "surefield/bounds/elbo/branch_and_bound.hpp"
#include "surefield/bounds/elbo/difference_boxes.hpp"
#include "surefield/bounds/elbo/field_of_terms.hpp"
#include "surefield/bounds/elbo/term_parts.hpp"
#include "surefield/bounds/log_z/harris/harris_search.hpp"
#include "surefield/bounds/log_z/hoelder/conditioned.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/bounds/spectral/cover_boxes.hpp"
#include "surefield/bounds/spectral/spectral_boxes.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "surefield/models/submodular_difference.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

const double kAbsoluteGap = BoxRoundsOptions{}.absolute_gap;

BranchAndBoundOptions search_of(const BoxSubject& subject, const Budget& budget) {
  return {.relative_gap = subject.relative_gap, .budget = budget, .rounding = subject.rounding};
}

Answerer help_with_boxes(const AnyModel& model, std::string_view bytes, const Budget& budget) {
  const auto subject = unpacked<BoxSubject>(bytes);
  const auto at = [model, beta = subject.beta](std::span<const double> x) {
    return Elbo(model.at(x), beta);
  };
  return search_box_answerer(at, subject.domain, search_of(subject, budget));
}

Answerer help_with_parts(const AnyModel& model, std::string_view bytes, const Budget& budget) {
  const auto subject = unpacked<BoxSubject>(bytes);
  auto found = term_parts(model, subject.beta);
  require(found.has_value(), "boxes over parts: the model has none");
  return dual_box_answerer(Elbo(model.at(subject.point), subject.beta), std::move(found->dual),
                           subject.domain, search_of(subject, budget));
}

Answerer help_with_part_bounds(const AnyModel& model, std::string_view bytes, const Budget&) {
  auto found = term_parts(model, unpacked<double>(bytes));
  require(found.has_value(), "bounds of parts: the model has none");
  return part_answerer(found->dual.parts());
}

Answerer help_with_covers(const AnyModel& model, std::string_view bytes, const Budget& budget) {
  const auto subject = unpacked<BoxSubject>(bytes);
  auto terms = cover_terms(model, subject.beta);
  require(terms.has_value(), "boxes over covers: the model has other terms");
  return cover_box_answerer(model, std::move(*terms), subject.beta, subject.domain,
                            subject.rounding.slope, subject.relative_gap, kAbsoluteGap, budget);
}

Answerer help_with_differences(const AnyModel& model, std::string_view bytes,
                               const Budget& budget) {
  const auto subject = unpacked<BoxSubject>(bytes);
  auto parts = submodular_difference(model);
  require(parts && parts->taken, "boxes over differences: the model is none");
  return difference_box_answerer(model, std::move(*parts), subject.beta, subject.domain,
                                 search_of(subject, budget));
}

Answerer help_with_spectra(const AnyModel& model, std::string_view bytes, const Budget& budget) {
  const auto subject = unpacked<BoxSubject>(bytes);
  auto field = field_of_terms(model);
  require(field.has_value(), "boxes over spectra: the model is no field");
  return spectral_box_answerer(at_inverse_temperature(std::move(*field), subject.beta),
                               subject.domain, subject.branches, subject.relative_gap, kAbsoluteGap,
                               budget);
}

struct HelpRow {
  std::string_view method;
  Answerer (*make)(const AnyModel&, std::string_view, const Budget&);
};

constexpr std::array kHelpRows{
    HelpRow{kTreeSubject, log_z_tree_answerer},
    HelpRow{kHarrisSubject, harris_answerer},
    HelpRow{kCasesSubject, cases_answerer},
    HelpRow{kBoxesSubject, help_with_boxes},
    HelpRow{kPartsSubject, help_with_parts},
    HelpRow{kPartBoundsSubject, help_with_part_bounds},
    HelpRow{kCoversSubject, help_with_covers},
    HelpRow{kSpectraSubject, help_with_spectra},
    HelpRow{kDifferenceSubject, help_with_differences},
};

}  // namespace

Answerers helpers_with(const Problem& problem) {
  return [&problem](const Subject& subject, const Budget& budget) {
    const auto* const row = std::ranges::find(kHelpRows, subject.method, &HelpRow::method);
    require(row != kHelpRows.end(), "helping: there is no subject '", subject.method, "'");
    return row->make(problem.model, subject.bytes, budget);
  };
}

}  // namespace surefield
