#include "surefield/models/any_model.hpp"

#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/term_facts.hpp"

namespace surefield {

AnyModel::AnyModel() : AnyModel(PairwiseField{}) {}

const Facts& AnyModel::facts() const {
  std::call_once(held_->known, [this] {
    auto own = held_->own_facts();
    held_->facts = own ? std::move(*own) : facts_without_help(*this);
    if (own || !held_->checks_itself()) return;
    const auto violation = held_->own_violation();
    held_->facts.submodularity = violation ? Submodularity::kViolated : Submodularity::kProved;
    held_->facts.violation = violation.value_or("");
  });
  return held_->facts;
}

void AnyModel::show_terms(TermVisitor& visitor, double weight, std::string_view what) const {
  require(has_terms(), what, ": a model of the kind ", kind(),
          " is not given as a sum of simple terms");
  held_->show_terms(visitor, weight);
}

std::optional<std::string> submodularity_violation(const AnyModel& model) {
  const Facts& facts = model.facts();
  return facts.is_submodular() ? std::nullopt : std::optional(facts.violation);
}

Facts facts_without_help(const AnyModel& model) {
  if (model.has_terms()) return facts_of_terms(model);
  const Index n = model.size();
  const auto count = static_cast<double>(n);
  Facts facts{.rounding_assumed = true, .submodularity = Submodularity::kAssumed};
  AnySet set = model.empty_set();
  const auto look = [&] {
    double sum = std::abs(set.value());
    for (Index i = 0; i < n; ++i) sum += std::abs(set.gain(i));
    return sum;
  };
  facts.magnitude = look();
  for (Index i = 0; i < n; ++i) set.add(i);
  facts.magnitude += look();
  facts.value_error = facts.gain_error = gamma_of(4 * count + 16) * facts.magnitude;
  facts.gain_error_sum = count * facts.gain_error;
  return facts;
}

}  // namespace surefield
