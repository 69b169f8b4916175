#include "surefield/models/coverage/coverage.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

double Coverage::evaluate(Subset chosen) const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) sum.add(-cost[i]);
  for (Index c = 0; c < members.groups(); ++c) {
    double uncovered = 1;
    for (const auto& [item, p] : members.of_group(c))
      if (chosen[item]) uncovered *= 1 - p;
    sum.add(concept_weight[c] * (1 - uncovered));
  }
  return sum.value();
}

Coverage::State Coverage::at(std::span<const double> x) const& { return {*this, x}; }
Coverage::Set Coverage::empty_set() const& { return Set(*this); }

Coverage::State::State(const Coverage& model, std::span<const double> x)
    : model_(&model),
      x_(x.begin(), x.end()),
      uncovered_(model.members.groups()),
      replaced_(model.members.groups(), 0) {
  for (Index c = 0; c < uncovered_.size(); ++c) rebuild(c);
}

void Coverage::State::rebuild(Index c) {
  uncovered_[c] = {};
  for (const auto& [item, p] : model_->members.of_group(c))
    uncovered_[c].multiply(missed(p, x_[item]));
  replaced_[c] = 0;
}

void Coverage::State::set(Index i, double v) {
  const double old = x_[i];
  x_[i] = v;
  for (const auto& [c, p] : model_->members.of_item(i)) {
    const double out = missed(p, old);
    const double in = missed(p, v);
    if (out == in) continue;
    if (++replaced_[c] > model_->members.of_group(c).size()) {
      rebuild(c);
    } else {
      uncovered_[c].divide(out);
      uncovered_[c].multiply(in);
    }
  }
}

void Coverage::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = partial(i);
}

double Coverage::State::value() const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i) sum.add(-model_->cost[i] * x_[i]);
  for (Index c = 0; c < uncovered_.size(); ++c)
    sum.add(model_->concept_weight[c] * (1 - uncovered_[c].value()));
  return sum.value();
}

Coverage make_coverage(std::vector<double> cost, std::vector<double> concept_weight,
                       std::span<const std::vector<Entry>> members) {
  const Index n = cost.size();
  require(concept_weight.size() == members.size(), "coverage: there are ", concept_weight.size(),
          " weights for ", members.size(), " concepts");
  double total = 0;  // of all sizes: while it is finite, no value, partial or gain can overflow
  for (Index i = 0; i < n; ++i) {
    require(std::isfinite(cost[i]), "coverage: item ", i, " has cost ", cost[i],
            ", which must be finite");
    total += std::abs(cost[i]);
  }
  std::vector<Index> last_concept(n, members.size());
  for (Index c = 0; c < members.size(); ++c) {
    require(std::isfinite(concept_weight[c]), "coverage: concept ", c, " has weight ",
            concept_weight[c], ", which must be finite");
    total += std::abs(concept_weight[c]);
    for (const auto& [item, p] : members[c]) {
      require(item < n, "coverage: concept ", c, " lists item ", item, ", but there are ", n,
              " items, numbered from 0");
      require(last_concept[item] != c, "coverage: concept ", c, " lists item ", item, " twice");
      last_concept[item] = c;
      require(p >= 0 && p <= 1, "coverage: item ", item, " covers concept ", c,
              " with probability ", p, ", which must lie in [0, 1]");
    }
  }
  require(std::isfinite(total), "coverage: the sizes of all costs and weights add up to ", total,
          ", which must be finite");
  return {.cost = std::move(cost),
          .concept_weight = std::move(concept_weight),
          .members = Incidence(n, members)};
}

std::optional<std::string> submodularity_violation(const Coverage& model) {
  for (Index c = 0; c < model.concept_weight.size(); ++c) {
    if (model.concept_weight[c] >= 0) continue;
    const auto meeting = std::ranges::count_if(model.members.of_group(c),
                                               [](const Entry& entry) { return entry.value > 0; });
    if (meeting >= 2)
      return message("concept ", c, " has weight ", model.concept_weight[c],
                     ", which must be >= 0 for a submodular coverage");
  }
  return std::nullopt;
}

void Coverage::show_terms(TermVisitor& visitor, double weight) const {
  for (Index i = 0; i < size(); ++i) visitor.linear(i, -weight * cost[i]);
  for (Index c = 0; c < members.groups(); ++c)
    visitor.cover(members.of_group(c), weight * concept_weight[c]);
}

}  // namespace surefield
