#include "surefield/models/gibbs_field/gibbs_field.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

double GibbsField::evaluate(Subset chosen) const {
  CompensatedSum sum;
  sum.add(constant);
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) sum.add(bias[i]);
  for (Index a = 0; a < coefficient.size(); ++a) {
    const auto entries = monomials.of_group(a);
    if (std::all_of(entries.begin(), entries.end(),
                    [&](const Entry& entry) { return chosen[entry.index] != 0; }))
      sum.add(coefficient[a]);
  }
  return sum.value();
}

std::vector<Monomial> GibbsField::terms() const {
  std::vector<Monomial> result(coefficient.size());
  for (Index a = 0; a < result.size(); ++a) {
    for (const Entry& entry : monomials.of_group(a)) result[a].variables.push_back(entry.index);
    result[a].coefficient = coefficient[a];
  }
  return result;
}

GibbsField::State GibbsField::at(std::span<const double> x) const& { return {*this, x}; }
GibbsField::Set GibbsField::empty_set() const& { return Set(*this); }

GibbsField::State::State(const GibbsField& model, std::span<const double> x)
    : model_(&model),
      x_(x.begin(), x.end()),
      product_(model.coefficient.size()),
      replaced_(model.coefficient.size()) {
  for (Index a = 0; a < product_.size(); ++a) rebuild(a);
}

void GibbsField::State::rebuild(Index a) {
  product_[a] = {};
  for (const Entry& entry : model_->monomials.of_group(a)) product_[a].multiply(x_[entry.index]);
  replaced_[a] = 0;
}

double GibbsField::State::partial(Index i) const {
  double slope = model_->bias[i];
  for (const Entry& entry : model_->monomials.of_item(i))
    slope += model_->coefficient[entry.index] * product_[entry.index].without(x_[i]);
  return slope;
}

void GibbsField::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = partial(i);
}

double GibbsField::State::value() const {
  CompensatedSum sum;
  sum.add(model_->constant);
  for (Index i = 0; i < size(); ++i) sum.add(model_->bias[i] * x_[i]);
  for (Index a = 0; a < product_.size(); ++a) sum.add(model_->coefficient[a] * product_[a].value());
  return sum.value();
}

void GibbsField::State::set(Index i, double v) {
  if (v == x_[i]) return;
  const double old = std::exchange(x_[i], v);
  for (const Entry& entry : model_->monomials.of_item(i)) {
    if (++replaced_[entry.index] > model_->monomials.of_group(entry.index).size()) {
      rebuild(entry.index);
    } else {
      product_[entry.index].divide(old);
      product_[entry.index].multiply(v);
    }
  }
}

GibbsField::Set::Set(const GibbsField& model)
    : model_(&model), chosen_(model.size(), 0), missing_(model.coefficient.size()) {
  for (Index a = 0; a < missing_.size(); ++a)
    missing_[a] = static_cast<std::uint32_t>(model.monomials.of_group(a).size());
}

double GibbsField::Set::gain(Index i) const {
  double gain = model_->bias[i];
  const std::uint32_t alone = chosen_[i] ? 0 : 1;  // missing nothing but i itself
  for (const Entry& entry : model_->monomials.of_item(i))
    if (missing_[entry.index] == alone) gain += model_->coefficient[entry.index];
  return gain;
}

void GibbsField::Set::add(Index i) {
  if (chosen_[i]) return;
  chosen_[i] = 1;
  for (const Entry& entry : model_->monomials.of_item(i)) --missing_[entry.index];
}

void GibbsField::Set::remove(Index i) {
  if (!chosen_[i]) return;
  chosen_[i] = 0;
  for (const Entry& entry : model_->monomials.of_item(i)) ++missing_[entry.index];
}

GibbsField make_gibbs_field(std::vector<double> bias, std::span<const Monomial> terms,
                            double constant) {
  const Index n = bias.size();
  require(std::isfinite(constant), "gibbs field: the constant is ", constant,
          ", which must be finite");
  for (Index i = 0; i < n; ++i)
    require(std::isfinite(bias[i]), "gibbs field: variable ", i, " has bias ", bias[i],
            ", which must be finite");
  GibbsField model;
  model.constant = constant;
  model.bias = std::move(bias);
  std::vector<Monomial> sorted;
  sorted.push_back({{}, constant});
  std::vector<std::uint8_t> alone(n, 0);  // whether a term is over this variable only
  for (Index t = 0; t < terms.size(); ++t) {
    require(std::isfinite(terms[t].coefficient), "gibbs field: term ", t, " has coefficient ",
            terms[t].coefficient, ", which must be finite");
    Monomial term = terms[t];
    std::sort(term.variables.begin(), term.variables.end());
    for (Index k = 0; k < term.variables.size(); ++k) {
      const auto i = term.variables[k];
      require(i < n, "gibbs field: term ", t, " holds variable ", i, ", but there are ", n);
      require(k == 0 || i != term.variables[k - 1], "gibbs field: term ", t, " holds variable ", i,
              " twice");
    }
    if (term.variables.size() == 1 && !std::exchange(alone[term.variables[0]], 1))
      sorted.push_back({term.variables, model.bias[term.variables[0]]});
    sorted.push_back(std::move(term));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Monomial& a, const Monomial& b) {
    return a.variables.size() != b.variables.size() ? a.variables.size() < b.variables.size()
                                                    : a.variables < b.variables;
  });
  std::vector<std::vector<Entry>> groups;
  for (Index t = 0; t < sorted.size();) {
    const auto& variables = sorted[t].variables;
    const Index first = t;
    ExactSum sum;
    for (; t < sorted.size() && sorted[t].variables == variables; ++t)
      sum.add(sorted[t].coefficient);
    const double coefficient = t == first + 1 ? sorted[first].coefficient : sum.value();
    require(std::isfinite(coefficient), "gibbs field: the terms over the ", variables.size(),
            " variables of one monomial add up to ", coefficient, ", which must be finite");
    if (variables.empty()) {
      model.constant = coefficient;
    } else if (variables.size() == 1) {
      model.bias[variables[0]] = coefficient;
    } else {
      model.coefficient.push_back(coefficient);
      auto& group = groups.emplace_back();
      for (const auto i : variables) group.push_back({i, 1});
    }
  }
  model.monomials = Incidence(n, groups);
  return model;
}

void GibbsField::show_terms(TermVisitor& visitor, double weight) const {
  visitor.constant(weight * constant);
  for (Index i = 0; i < size(); ++i) visitor.linear(i, weight * bias[i]);
  for (Index a = 0; a < monomials.groups(); ++a) {
    const auto members = monomials.of_group(a);
    if (members.size() == 2)
      visitor.pair(members[0].index, members[1].index, weight * coefficient[a]);
    else
      visitor.product(members, weight * coefficient[a]);
  }
}

}  // namespace surefield
