// p(S) ~ exp(beta F(S)) over the sets of a box by enumeration, F in quadruple precision by the
// definition of every family: the truth that bounds are held to, without any tolerance of the code
// under test.
//
// Values are sums in 113 bits; the exponentials of their differences from the largest are long doubles,
// so log_z is right to about 1e-18 of max(1, |log Z|): `slack` below is a thousand times that.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/quad_truth.hpp"

namespace surefield::testing {

/// F(S) of any model; a black box answers for itself.
inline Quad exact_value(const AnyModel& model, Subset in) {
  const auto of = [&](const auto* family) { return exact_value(*family, in); };
  if (const auto* m = model.as<Flid>()) return of(m);
  if (const auto* m = model.as<Fldc>()) return of(m);
  if (const auto* m = model.as<FacilityLocation>()) return of(m);
  if (const auto* m = model.as<Coverage>()) return of(m);
  if (const auto* m = model.as<PairwiseField>()) return of(m);
  if (const auto* m = model.as<GraphCut>()) return of(m);
  if (const auto* m = model.as<HypergraphCut>()) return of(m);
  if (const auto* m = model.as<GibbsField>()) return of(m);
  if (const auto* m = model.as<ConcaveOverModular>()) return of(m);
  if (const auto* m = model.as<LogDet>()) return of(m);
  if (const auto* sum = model.as<WeightedSum>()) {
    Quad total = 0;
    for (const auto& term : sum->terms)
      if (term.weight != 0) total += Quad(term.weight) * exact_value(term.model, in);
    return total;
  }
  return model.evaluate(in);
}

struct QuadLogZ {
  long double log_z = 0;
  std::vector<long double> marginals;
  std::vector<Quad> values;              ///< F by code, of all sets
  std::vector<long double> probability;  ///< by code; 0 outside the box
  long double largest = 0;               ///< |beta F| inside the box
  /// What this truth itself can be off.
  long double slack() const { return 1e-15L * (1 + std::abs(log_z)) + 1e-17L * largest; }
};

/// F of every set, by code.
inline std::vector<Quad> quad_values(const AnyModel& model) {
  const Index n = model.size();
  std::vector<std::uint8_t> in(n);
  std::vector<Quad> values;
  for (std::size_t code = 0; code < std::size_t{1} << n; ++code) {
    for (Index i = 0; i < n; ++i) in[i] = code >> i & 1;
    values.push_back(exact_value(model, in));
  }
  return values;
}

/// Of F given by its values.
inline QuadLogZ quad_log_z(std::vector<Quad> values, const Box& box, double beta) {
  const Index n = box.size();
  QuadLogZ truth;
  truth.values = std::move(values);
  std::vector<std::uint8_t> inside(truth.values.size(), 1);
  Quad high = 0;
  bool any = false;
  for (std::size_t code = 0; code < inside.size(); ++code) {
    for (Index i = 0; i < n; ++i)
      if (!box[i].contains(static_cast<double>(code >> i & 1))) inside[code] = 0;
    if (!inside[code]) continue;
    const Quad value = beta * truth.values[code];
    if (!any || value > high) high = value;
    any = true;
    truth.largest = std::max(truth.largest, static_cast<long double>(size_of(value)));
  }
  long double sum = 0;
  for (std::size_t code = 0; code < inside.size(); ++code) {
    truth.probability.push_back(
        inside[code] ? std::exp(static_cast<long double>(beta * truth.values[code] - high)) : 0.0L);
    sum += truth.probability.back();
  }
  truth.log_z = static_cast<long double>(high) + std::log(sum);
  truth.marginals.assign(n, 0);
  for (std::size_t code = 0; code < inside.size(); ++code) {
    truth.probability[code] /= sum;
    for (Index i = 0; i < n; ++i)
      if (code >> i & 1) truth.marginals[i] += truth.probability[code];
  }
  return truth;
}

inline QuadLogZ quad_log_z(const AnyModel& model, const Box& box, double beta) {
  return quad_log_z(quad_values(model), box, beta);
}

}  // namespace surefield::testing
