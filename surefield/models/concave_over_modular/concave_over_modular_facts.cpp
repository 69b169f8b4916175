// What rounding and the exponential sums do to a concave function of modular sums. Group g of k
// items, weight lambda, total T; u is the unit roundoff, and all counts are of roundings.
//
// Sets and evaluate. psi is concave with psi(0) = 0, so it turns a relative error of its argument
// into one no larger. A compensated sum of positive numbers is off by u; one that items left again
// by gamma_{2k}^2 of all that moved, which is at most 1e6 times what is left (Set::kFresh). The C
// library is trusted to 4 ulp, 8 u. A gain is a difference of two values of psi.
//
// States by exponential sums of Q nodes, r of them fours of each other in a row:
// BernsteinQuadrature meets psi and its increments to the relative tolerance. Given its nodes:
//   rise = 1 - e^-z is off by (5 + 4r) u relative: 5 to compute it, 4 whenever z grows fourfold
//   decay = e^-z is off by (20 + 9r) u absolute: squaring doubles a relative error, which grows as
//   z, but e^-z z <= 0.37
//   a factor 1 - x rise is off by (23 + 9r) u absolute, and a product of k factors of [0, 1] by k
//   times that; its multiplications and divisions, as many as come before it is rebuilt, are
//   relative.
// A partial is sum_q w_q rise_q(m) rest_q, at most psi(m) in size. A value is sum_q w_q s_q with
// s_q = sum_i P_i x_i rise_i = 1 - prod: its error is at most that of the products P_i times sum_i
// rise_i <= node T (k at most), so nodes near 0 with their huge weights do no harm, and at most
// k (56 + 22r) u, the errors of the telescoped sum.
//
// States by distributions: all sums and products are of numbers >= 0, and no term meets more
// roundings than its tree has numbers (PoissonBinomial::table_size), two a node, and one a coin.
#include <algorithm>
#include <cmath>

#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

constexpr double kLibrary = 8;

/// What one group adds to the errors.
struct GroupFacts {
  double most = 0;            // |lambda| psi(T)
  double of_value = 0;        // error of a value
  double of_set_gain = 0;     // of a gain of any item
  double partial_rounds = 0;  // of a partial, relative to |lambda| psi(m)
  double partial_fixed = 0;   // and absolute
  double tolerance = 0;       // relative
};

GroupFacts truncated(const ConcaveOverModular::Truncation& truncation, double c, double lambda) {
  const double numbers = PoissonBinomial::table_size(truncation.steps, truncation.cap);
  const auto coins = static_cast<double>(truncation.items.size());
  const double tree = numbers + 5 * coins + 4;  // at most 2 coins leaves, and as many nodes above
  const double last = truncation.cap + 4.0;
  GroupFacts facts;
  facts.of_value = lambda * c * roundings(tree + last);
  facts.partial_rounds = 2 * tree + last;
  // unit k is exact below 2^53, and then c - unit k has its own rounding only.
  if (truncation.unit * truncation.cap >= 0x1p53) facts.partial_fixed = lambda * c * roundings(2);
  return facts;
}

GroupFacts exponential(const BernsteinQuadrature& rule, std::span<const Entry> entries, double k,
                       double total, double psi, double lambda, double tolerance) {
  GroupFacts facts;
  const double rounds =
      rule.lanes == 0
          ? 0
          : std::ceil(static_cast<double>(rule.chain) / static_cast<double>(rule.lanes));
  const auto nodes = static_cast<double>(rule.size());
  const double small = roundings(k * (26 + 9 * rounds) + 8 + 4 * rounds);
  const double telescoped = roundings(k * (56 + 22 * rounds) + 8);
  SizeSum error;
  for (Index q = 0; q < rule.size(); ++q) {
    const double rises = std::min(k, rule.node[q] * (total / rule.unit) * (1 + 0x1p-40));
    error.add(rule.weight[q] * (std::min(rises * small, telescoped) +
                                std::min(rises, 1.0) * roundings(nodes + 2) + 2 * k * kTiniest));
  }
  error.add(rule.slope * total * roundings(k + 3));
  facts.tolerance = rule.size() == 0 ? 0 : tolerance;
  facts.of_value = lambda * (error.value() + facts.tolerance * psi);
  const auto moves =
      static_cast<double>(ConcaveOverModular::State::moves_until_rebuilt(entries.size()));
  facts.partial_rounds = k * (24 + 9 * rounds) + k + 2 * moves + 16 + 4 * rounds + nodes;
  return facts;
}

GroupFacts facts_of_group(const ConcaveOverModular& model, Index g) {
  const auto& [weight, shape] = model.groups[g];
  const double lambda = std::abs(weight);
  const auto entries = model.members.of_group(g);
  SizeSum sizes;
  double k = 0;
  for (const Entry& entry : entries) {
    if (entry.value == 0) continue;
    sizes.add(entry.value);
    ++k;
  }
  if (k == 0) return {};
  const double total = sizes.value();
  const double psi = shape(total) * (1 + roundings(kLibrary));
  // Saturating is one exponential as it stands, and a single item needs one jump.
  const bool is_exact = shape.kind == Concave::Kind::kSaturating || k == 1;
  const std::uint32_t t = model.truncation_of[g];
  GroupFacts facts = t != ConcaveOverModular::kNone
                         ? truncated(model.truncations[t], shape.parameter, lambda)
                         : exponential(model.quadratures[model.quadrature_of[g]], entries, k, total,
                                       psi, lambda, is_exact ? 0 : model.tolerance);
  const double left_again =
      roundings(2 * k + 2) * roundings(2 * k + 2) / ConcaveOverModular::Set::kFresh;
  const double of_psi = roundings(kLibrary + 4) + left_again;
  facts.most = lambda * psi * (1 + facts.tolerance);
  facts.of_value = std::max(facts.of_value, facts.most * of_psi) + facts.most * roundings(1);
  facts.of_set_gain = facts.most * (2 * of_psi + roundings(2));
  return facts;
}

}  // namespace

Facts facts_of(const ConcaveOverModular& model) {
  SizeSum magnitude;
  SizeSum value_error;
  std::vector<GroupFacts> groups(model.groups.size());
  for (Index g = 0; g < groups.size(); ++g) {
    groups[g] = facts_of_group(model, g);
    magnitude.add(groups[g].most);
    value_error.add(groups[g].of_value);
    value_error.add(4 * static_cast<double>(kMostNodes) * kTiniest);
  }
  GainErrors gains;
  for (Index i = 0; i < model.size(); ++i) {
    magnitude.add(model.modular[i]);
    value_error.add(roundings(1) * model.modular[i]);
    const auto entries = model.members.of_item(i);
    const auto count = static_cast<double>(entries.size());
    SizeSum of_set;
    SizeSum of_state;
    for (const auto& [g, m] : entries) {
      if (m == 0) continue;
      const auto& [weight, shape] = model.groups[g];
      const double psi = std::abs(weight) * shape(m) * (1 + roundings(kLibrary));
      of_set.add(groups[g].of_set_gain + roundings(count) * groups[g].most);
      of_state.add(psi * (1 + groups[g].tolerance) * roundings(groups[g].partial_rounds + count) +
                   groups[g].tolerance * psi + groups[g].partial_fixed);
      of_state.add(4 * static_cast<double>(kMostNodes) * kTiniest);
    }
    gains.add(std::max(of_set.value(), of_state.value()) +
              roundings(count) * std::abs(model.modular[i]));
  }
  const auto terms = static_cast<double>(model.size() + groups.size());
  return facts_of_sum(terms, terms, magnitude, value_error, gains, submodularity_violation(model));
}

}  // namespace surefield
