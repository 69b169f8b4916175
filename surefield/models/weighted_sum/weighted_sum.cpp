#include "surefield/models/weighted_sum/weighted_sum.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

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

}  // namespace

double WeightedSum::evaluate(Subset chosen) const {
  return weighted(terms, [&](const Term& term) {
    return std::visit([&](const auto& model) { return model.evaluate(chosen); }, term.model);
  });
}

WeightedSum::State WeightedSum::at(std::span<const double> x) const& { return {*this, x}; }
WeightedSum::Set WeightedSum::empty_set() const& { return Set(*this); }

WeightedSum::State::State(const WeightedSum& model, std::span<const double> x)
    : x_(x.begin(), x.end()) {
  for (const Term& term : model.terms)
    std::visit([&](const auto& part) { parts_.push_back({term.weight, part.at(x)}); }, term.model);
}

double WeightedSum::State::partial(Index i) const {
  return weighted(parts_, [i](const Part& part) {
    return std::visit([i](const auto& state) { return state.partial(i); }, part.state);
  });
}

void WeightedSum::State::gradient(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  std::vector<double> one(size());
  for (const Part& part : parts_) {
    if (part.weight == 0) continue;
    std::visit([&](const auto& state) { state.gradient(one); }, part.state);
    for (Index i = 0; i < size(); ++i) out[i] += part.weight * one[i];
  }
}

double WeightedSum::State::value() const {
  return weighted(parts_, [](const Part& part) {
    return std::visit([](const auto& state) { return state.value(); }, part.state);
  });
}

void WeightedSum::State::set(Index i, double v) {
  x_[i] = v;
  for (Part& part : parts_) std::visit([&](auto& state) { state.set(i, v); }, part.state);
}

WeightedSum::Set::Set(const WeightedSum& model) : chosen_(model.size(), 0) {
  for (const Term& term : model.terms)
    std::visit(
        [&](const auto& part) {
          parts_.push_back({term.weight, part.empty_set()});
        },
        term.model);
}

double WeightedSum::Set::gain(Index i) const {
  return weighted(parts_, [i](const Part& part) {
    return std::visit([i](const auto& set) { return set.gain(i); }, part.set);
  });
}

double WeightedSum::Set::value() const {
  return weighted(parts_, [](const Part& part) {
    return std::visit([](const auto& set) { return set.value(); }, part.set);
  });
}

void WeightedSum::Set::add(Index i) {
  chosen_[i] = 1;
  for (Part& part : parts_) std::visit([i](auto& set) { set.add(i); }, part.set);
}

void WeightedSum::Set::remove(Index i) {
  chosen_[i] = 0;
  for (Part& part : parts_) std::visit([i](auto& set) { set.remove(i); }, part.set);
}

WeightedSum make_weighted_sum(Index items, std::vector<WeightedSum::Term> terms) {
  for (Index t = 0; t < terms.size(); ++t) {
    const Index n = std::visit([](const auto& model) { return model.size(); }, terms[t].model);
    require(n == items, "sum: term ", t, " has ", n, " items, but the sum has ", items);
    require(std::isfinite(terms[t].weight), "sum: term ", t, " has weight ", terms[t].weight,
            ", which must be finite");
  }
  return {items, std::move(terms)};
}

std::optional<std::string> submodularity_violation(const WeightedSum& model) {
  for (Index t = 0; t < model.terms.size(); ++t) {
    const auto& [weight, part] = model.terms[t];
    if (weight == 0) continue;
    if (weight < 0)
      return message("term ", t, " has weight ", weight,
                     ", which must be >= 0 for a submodular sum");
    const auto reason =
        std::visit([](const auto& inner) { return submodularity_violation(inner); }, part);
    if (reason) return message("term ", t, ": ", *reason);
  }
  return std::nullopt;
}

}  // namespace surefield
