#include "surefield/models/weighted_sum/weighted_sum.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

/// sum of weight * ask(part); a term of weight 0 is left out, so that it cannot spoil the sum with
/// an infinity.
template <class Parts, class Ask>
double weighted(const Parts& parts, Ask&& ask) {
  CompensatedSum sum;
  for (const auto& part : parts)
    if (part.weight != 0) sum.add(part.weight * ask(part));
  return sum.value();
}

/// The terms of a sum of sums are shown with the products of their weights: one that overflows or
/// vanishes would show a term that F does not have, though F itself is finite.
void check_products(double weight, const AnyModel& model, Index t) {
  const auto* const inner = model.as<WeightedSum>();
  if (inner == nullptr || weight == 0) return;
  for (const auto& term : inner->terms) {
    if (term.weight == 0) continue;
    const double product = weight * term.weight;
    require(std::isnormal(product) || std::abs(weight) == 1, "sum: term ", t,
            " is a sum itself, and its weight ", weight, " times the weight ", term.weight,
            " inside is ", product, ", which is out of range");
    check_products(product, term.model, t);
  }
}

}  // namespace

double WeightedSum::evaluate(Subset chosen) const {
  return weighted(terms, [&](const Term& term) { return term.model.evaluate(chosen); });
}

WeightedSum::State WeightedSum::at(std::span<const double> x) const& { return {*this, x}; }
WeightedSum::Set WeightedSum::empty_set() const& { return Set(*this); }

bool WeightedSum::has_terms() const {
  return std::ranges::all_of(
      terms, [](const Term& term) { return term.weight == 0 || term.model.has_terms(); });
}

void WeightedSum::show_terms(TermVisitor& visitor, double weight) const {
  for (const Term& term : terms)
    if (term.weight != 0) term.model.show_terms(visitor, weight * term.weight, kKind);
}

WeightedSum::State::State(const WeightedSum& model, std::span<const double> x)
    : x_(x.begin(), x.end()) {
  for (const Term& term : model.terms) parts_.push_back({term.weight, term.model.at(x)});
}

double WeightedSum::State::partial(Index i) const {
  return weighted(parts_, [i](const Part& part) { return part.state.partial(i); });
}

void WeightedSum::State::gradient(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  std::vector<double> one(size());
  for (const Part& part : parts_) {
    if (part.weight == 0) continue;
    part.state.gradient(one);
    for (Index i = 0; i < size(); ++i) out[i] += part.weight * one[i];
  }
}

double WeightedSum::State::value() const {
  return weighted(parts_, [](const Part& part) { return part.state.value(); });
}

void WeightedSum::State::set(Index i, double v) {
  x_[i] = v;
  for (Part& part : parts_) part.state.set(i, v);
}

WeightedSum::Set::Set(const WeightedSum& model) : chosen_(model.size(), 0) {
  for (const Term& term : model.terms) parts_.push_back({term.weight, term.model.empty_set()});
}

double WeightedSum::Set::gain(Index i) const {
  return weighted(parts_, [i](const Part& part) { return part.set.gain(i); });
}

double WeightedSum::Set::value() const {
  return weighted(parts_, [](const Part& part) { return part.set.value(); });
}

void WeightedSum::Set::add(Index i) {
  chosen_[i] = 1;
  for (Part& part : parts_) part.set.add(i);
}

void WeightedSum::Set::remove(Index i) {
  chosen_[i] = 0;
  for (Part& part : parts_) part.set.remove(i);
}

WeightedSum make_weighted_sum(Index items, std::vector<WeightedSum::Term> terms) {
  for (Index t = 0; t < terms.size(); ++t) {
    const Index n = terms[t].model.size();
    require(n == items, "sum: term ", t, " has ", n, " items, but the sum has ", items);
    require(std::isfinite(terms[t].weight), "sum: term ", t, " has weight ", terms[t].weight,
            ", which must be finite");
    check_products(terms[t].weight, terms[t].model, t);
  }
  return {items, std::move(terms)};
}

// Each product weight * value rounds once, the compensated sum of them as often as it has terms.
Facts facts_of(const WeightedSum& model) {
  Facts sum;
  const auto count = static_cast<double>(model.terms.size());
  for (Index t = 0; t < model.terms.size(); ++t) {
    const auto& [weight, part] = model.terms[t];
    if (weight == 0) continue;
    const Facts& one = part.facts();
    const double size = std::abs(weight);
    // What underflows, of a number and of its error.
    const double tiny = one.magnitude > 0 ? 2 * kTiniest : 0;
    sum.magnitude += size * one.magnitude + tiny;
    sum.value_error += size * one.value_error + tiny;
    sum.gain_error += size * one.gain_error + 2 * tiny;
    sum.gain_error_sum += size * one.gain_error_sum + 2 * static_cast<double>(model.items) * tiny;
    sum.estimated |= one.estimated;
    sum.rounding_assumed |= one.rounding_assumed;
    if (sum.submodularity == Submodularity::kViolated) continue;
    if (weight < 0 || !one.is_submodular()) {
      sum.submodularity = Submodularity::kViolated;
      sum.violation = weight < 0 ? message("term ", t, " has weight ", weight,
                                           ", which must be >= 0 for a submodular sum")
                                 : message("term ", t, ": ", one.violation);
    } else if (one.submodularity == Submodularity::kAssumed) {
      sum.submodularity = Submodularity::kAssumed;
    }
  }
  const double own = gamma_of(2 * count + 4);
  const double slack = 1 + gamma_of(count + 4);  // of the sums above
  sum.value_error = slack * sum.value_error + own * sum.magnitude;
  sum.gain_error = slack * sum.gain_error + 2 * own * sum.magnitude;
  sum.gain_error_sum = slack * sum.gain_error_sum + 4 * own * sum.magnitude;
  return sum;
}

}  // namespace surefield
