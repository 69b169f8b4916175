// The sets of ConcaveOverModular: the sum of every group, exact enough for functions that are
// steepest at 0.
#include <algorithm>

#include "surefield/models/concave_over_modular/concave_over_modular.hpp"

namespace surefield {
ConcaveOverModular::Set ConcaveOverModular::empty_set() const& { return Set(*this); }

ConcaveOverModular::Set::Set(const ConcaveOverModular& model)
    : model_(&model),
      chosen_(model.size(), 0),
      sum_(model.groups.size()),
      count_(model.groups.size(), 0),
      moved_(model.groups.size(), 0) {}

/// The sum of group g without its item i, which is chosen. y^a turns a remainder of 1e-12 that
/// should be 0 into 1e-3, so where hardly anything is left of what was added and taken away so far
/// it is taken afresh.
CompensatedSum ConcaveOverModular::Set::sum_without(Index g, Index i, double m) const {
  if (count_[g] == 1) return {};
  CompensatedSum rest = sum_[g];
  rest.add(-m);
  if (rest.value() >= kFresh * (moved_[g] + m)) return rest;
  rest = {};
  for (const auto& [item, weight] : model_->members.of_group(g))
    if (chosen_[item] && item != i) rest.add(weight);
  return rest;
}

double ConcaveOverModular::Set::gain(Index i) const {
  double sum = model_->modular[i];
  for (const auto& [g, m] : model_->members.of_item(i)) {
    if (m == 0) continue;
    const auto& [lambda, shape] = model_->groups[g];
    CompensatedSum without = contains(i) ? sum_without(g, i, m) : sum_[g];
    const double low = shape(without.value());
    without.add(m);
    sum += lambda * (shape(without.value()) - low);
  }
  return sum;
}

double ConcaveOverModular::Set::value() const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen_[i]) sum.add(model_->modular[i]);
  for (Index g = 0; g < sum_.size(); ++g)
    sum.add(model_->groups[g].weight * model_->groups[g].shape(sum_[g].value()));
  return sum.value();
}

void ConcaveOverModular::Set::add(Index i) {
  if (contains(i)) return;
  chosen_[i] = 1;
  for (const auto& [g, m] : model_->members.of_item(i)) {
    if (m == 0) continue;
    sum_[g].add(m);
    ++count_[g];
    moved_[g] += m;
  }
}

void ConcaveOverModular::Set::remove(Index i) {
  if (!contains(i)) return;
  for (const auto& [g, m] : model_->members.of_item(i)) {
    if (m == 0) continue;
    CompensatedSum rest = sum_[g];
    rest.add(-m);
    const bool goes_on = count_[g] > 1 && rest.value() >= kFresh * (moved_[g] + m);
    sum_[g] = goes_on ? rest : sum_without(g, i, m);
    moved_[g] = goes_on ? moved_[g] + m : sum_[g].value();
    --count_[g];
  }
  chosen_[i] = 0;
}

}  // namespace surefield
