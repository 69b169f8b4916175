// Whether a Gibbs field is submodular: for every pair, the largest its second difference can be.
//
//   D_ij(S) = sum of coefficient_A over the monomials A that hold i and j and whose other variables
//   are all in S
//
// The other variables of a pair fall into groups that share no monomial; each group is maximised on
// its own: by its signs where they are all alike, else over all its subsets. The sign of the result
// is exact: sums over subsets are of whole numbers of 128 bits in the unit that all coefficients
// have in common.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"

namespace surefield {
namespace {

constexpr Index kLargestGroup = 20;

/// The monomials of one pair with the pair taken out.
struct PairTerm {
  std::vector<std::uint32_t> others;
  double coefficient;
};

/// Groups of terms that share variables, by merging representatives.
std::vector<std::vector<PairTerm>> groups_of(std::vector<PairTerm> terms) {
  std::vector<std::uint32_t> variables;
  for (const auto& term : terms)
    variables.insert(variables.end(), term.others.begin(), term.others.end());
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  std::vector<Index> parent(variables.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](std::uint32_t variable) {
    Index v = static_cast<Index>(std::lower_bound(variables.begin(), variables.end(), variable) -
                                 variables.begin());
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& term : terms)
    for (const auto k : term.others) parent[root(k)] = root(term.others[0]);
  std::vector<std::vector<PairTerm>> groups(variables.size());
  for (auto& term : terms) groups[root(term.others[0])].push_back(std::move(term));
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

std::vector<std::uint32_t> variables_of(const std::vector<PairTerm>& group) {
  std::vector<std::uint32_t> variables;
  for (const auto& term : group)
    variables.insert(variables.end(), term.others.begin(), term.others.end());
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

__extension__ using Wide = __int128;

/// In place: the sum over all subsets of every code.
template <class Number>
void sum_over_subsets(std::vector<Number>& sum) {
  for (Index bit = 1; bit < sum.size(); bit *= 2)
    for (Index code = 0; code < sum.size(); ++code)
      if (code & bit) sum[code] += sum[code ^ bit];
}

/// The power of two that all coefficients are whole multiples of, if their sizes in that unit add
/// up to less than 2^120.
std::optional<int> common_unit(const std::vector<PairTerm>& group) {
  int low = std::numeric_limits<int>::max();
  int high = std::numeric_limits<int>::min();
  for (const auto& term : group) {
    if (term.coefficient == 0) continue;
    int exponent = 0;
    auto bits = static_cast<std::int64_t>(
        std::ldexp(std::abs(std::frexp(term.coefficient, &exponent)), 53));
    low = std::min(low, exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(bits)));
    high = std::max(high, exponent);
  }
  if (low > high) return 0;  // nothing but zeros
  const int bits = high - low + std::bit_width(group.size());
  return bits < 120 ? std::optional(low) : std::nullopt;
}

Wide whole(double coefficient, int unit) {
  if (coefficient == 0) return 0;  // of no size, so it may be far below the unit
  int exponent = 0;
  const double mantissa = std::frexp(coefficient, &exponent);
  auto bits = static_cast<Wide>(static_cast<std::int64_t>(std::ldexp(mantissa, 53)));
  const int shift = exponent - 53 - unit;
  // Where the shift is negative the bits that go are zeros.
  return shift >= 0 ? bits * (Wide{1} << shift) : bits / (Wide{1} << -shift);
}

void add_whole(Wide value, int unit, ExactSum& sum) {
  const bool negative = value < 0;
  if (negative) value = -value;
  for (int at = unit; value != 0; value >>= 48, at += 48) {
    const double digits = std::ldexp(static_cast<double>(value & ((Wide{1} << 48) - 1)), at);
    sum.add(negative ? -digits : digits);
  }
}

/// Adds max over S of the sum of the coefficients of the terms inside S, exactly; false if there
/// are too many variables to say.
bool add_largest(const std::vector<PairTerm>& group, ExactSum& interaction) {
  bool negative = false;
  bool positive = false;
  for (const auto& term : group) {
    negative |= term.coefficient < 0;
    positive |= term.coefficient > 0;
  }
  if (!positive) return true;
  if (!negative) {
    for (const auto& term : group) interaction.add(term.coefficient);
    return true;
  }
  const auto variables = variables_of(group);
  if (variables.size() > kLargestGroup) return false;
  const auto code_of = [&](const PairTerm& term) {
    Index code = 0;
    for (const auto k : term.others)
      code |=
          Index{1} << (std::lower_bound(variables.begin(), variables.end(), k) - variables.begin());
    return code;
  };
  const Index codes = Index{1} << variables.size();
  if (const auto unit = common_unit(group)) {
    std::vector<Wide> sum(codes, 0);
    for (const auto& term : group) sum[code_of(term)] += whole(term.coefficient, *unit);
    sum_over_subsets(sum);
    add_whole(*std::max_element(sum.begin(), sum.end()), *unit, interaction);
    return true;
  }
  // Sizes too far apart for whole numbers: doubles tell which sets can be the best, exact sums
  // which of them is.
  std::vector<double> sum(codes, 0);
  double scale = 0;
  for (const auto& term : group) {
    sum[code_of(term)] += term.coefficient;
    scale += std::abs(term.coefficient);
  }
  sum_over_subsets(sum);
  const double roundings = static_cast<double>(variables.size() + group.size()) + 8;
  const double least = *std::max_element(sum.begin(), sum.end()) - 4 * gamma_of(roundings) * scale;
  std::optional<ExactSum> best;
  for (Index code = 0; code < codes; ++code) {
    if (sum[code] < least) continue;
    ExactSum value;
    ExactSum ahead;
    for (const auto& term : group)
      if ((code_of(term) & ~code) == 0) value.add(term.coefficient);
    if (best) {
      ahead = *best;
      ahead.subtract(value);
    }
    if (!best || ahead.sign() < 0) best = value;
  }
  interaction.add(*best);
  return true;
}

/// Two variables and the monomials that hold both.
struct Pair {
  std::uint32_t i, j;
  std::vector<std::uint32_t> shared;
  std::optional<Index> coupling;  // the monomial of the two alone
};

/// The largest D_ij(S); nothing if that cannot be decided. Where it cannot exceed 0 an upper bound
/// will do.
std::optional<ExactSum> interaction_of(const GibbsField& model, const Pair& pair) {
  const double coupling = pair.coupling ? model.coefficient[*pair.coupling] : 0;
  ExactSum bound;
  bound.add(coupling);
  for (const auto a : pair.shared)
    if (a != pair.coupling) bound.add(std::max(0.0, model.coefficient[a]));
  if (bound.sign() <= 0) return bound;
  std::vector<PairTerm> terms;
  for (const auto a : pair.shared) {
    if (a == pair.coupling) continue;
    PairTerm& term = terms.emplace_back(PairTerm{{}, model.coefficient[a]});
    for (const Entry& entry : model.monomials.of_group(a))
      if (entry.index != pair.i && entry.index != pair.j) term.others.push_back(entry.index);
  }
  ExactSum interaction;
  interaction.add(coupling);
  for (const auto& group : groups_of(std::move(terms)))
    if (!add_largest(group, interaction)) return std::nullopt;
  return interaction;
}

/// visit(pair) for every pair in a monomial of positive coefficient, until it says true: no other
/// pair can attract. O(pairs of these monomials times monomials of an item).
template <class Visit>
void visit_pairs(const GibbsField& model, Visit&& visit) {
  std::vector<std::uint32_t> partners;
  for (std::uint32_t i = 0; i < model.size(); ++i) {
    partners.clear();
    for (const Entry& of_i : model.monomials.of_item(i))
      if (model.coefficient[of_i.index] > 0)
        for (const Entry& other : model.monomials.of_group(of_i.index))
          if (other.index > i) partners.push_back(other.index);
    std::sort(partners.begin(), partners.end());
    partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    for (const auto j : partners) {
      Pair pair{i, j, {}, {}};
      for (const Entry& of_i : model.monomials.of_item(i)) {
        const auto entries = model.monomials.of_group(of_i.index);
        if (!std::ranges::binary_search(entries, j, {}, &Entry::index)) continue;
        pair.shared.push_back(of_i.index);
        if (entries.size() == 2) pair.coupling = of_i.index;
      }
      if (visit(pair)) return;
    }
  }
}

}  // namespace

std::optional<std::string> submodularity_violation(const GibbsField& model) {
  std::optional<std::string> reason;
  visit_pairs(model, [&](const Pair& pair) {
    const auto interaction = interaction_of(model, pair);
    if (!interaction)
      reason = message("pair ", pair.i, "-", pair.j, " interacts through more than ", kLargestGroup,
                       " other variables: whether the field is submodular cannot be decided");
    else if (interaction->sign() > 0)
      reason = message("pair ", pair.i, "-", pair.j, " has interaction ", interaction->value(),
                       " at its largest, which must be <= 0 for a submodular field");
    return reason.has_value();
  });
  return reason;
}

void remove_attraction_within(GibbsField& model, std::span<const double> noise) {
  SUREFIELD_ASSERT(noise.size() == model.coefficient.size());
  if (std::ranges::all_of(noise, [](double error) { return error == 0; })) return;
  std::vector<std::pair<Index, double>> lowered;  // (monomial, its coefficient)
  std::vector<Monomial> added;
  double total = 0;
  visit_pairs(model, [&](const Pair& pair) {
    const auto interaction = interaction_of(model, pair);
    if (!interaction || interaction->sign() <= 0) return false;
    double known = 0;
    for (const auto a : pair.shared) known += noise[a];
    if (interaction->value() > known * (1 + 0x1p-40)) return false;  // no mere noise
    const double before = pair.coupling ? model.coefficient[*pair.coupling] : 0;
    ExactSum wanted;
    wanted.add(before);
    wanted.subtract(*interaction);
    double coefficient = wanted.value();
    wanted.add(-coefficient);
    if (wanted.sign() < 0) coefficient = std::nextafter(coefficient, -HUGE_VAL);
    total += (before - coefficient) * (1 + 4 * kUnitRoundoff);
    if (pair.coupling)
      lowered.emplace_back(*pair.coupling, coefficient);
    else
      added.push_back(
          {{static_cast<std::uint32_t>(pair.i), static_cast<std::uint32_t>(pair.j)}, coefficient});
    return false;
  });
  for (const auto& [a, coefficient] : lowered) model.coefficient[a] = coefficient;
  total += model.inherited_error;
  if (!added.empty()) {
    auto terms = model.terms();
    terms.insert(terms.end(), added.begin(), added.end());
    model = make_gibbs_field(std::move(model.bias), terms, model.constant);
  }
  model.inherited_error = total;
}

}  // namespace surefield
