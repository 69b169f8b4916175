// Whether a Gibbs field is submodular: for every pair, the largest its second difference can be.
//
//   D_ij(S) = sum of coefficient_A over the monomials A that hold i and j and whose other variables
//   are all in S
//
// The other variables of a pair fall into groups that share no monomial; each group is maximised on
// its own: by its signs where they are all alike, else over all its subsets.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"

namespace surefield {
namespace {

constexpr Index kLargestGroup = 20;
constexpr double kRounding = 1e-12;

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

/// max over S of the sum of the coefficients of the terms inside S; nothing if there are too many
/// variables to say.
std::optional<double> largest(const std::vector<PairTerm>& group) {
  double positive = 0;
  bool mixed = false;
  for (const auto& term : group) {
    positive += std::max(0.0, term.coefficient);
    mixed |= term.coefficient < 0;
  }
  if (!mixed || positive == 0) return positive;
  std::vector<std::uint32_t> variables;
  for (const auto& term : group)
    variables.insert(variables.end(), term.others.begin(), term.others.end());
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  if (variables.size() > kLargestGroup) return std::nullopt;
  std::vector<double> sum(Index{1} << variables.size(), 0.0);
  for (const auto& term : group) {
    Index code = 0;
    for (const auto k : term.others)
      code |=
          Index{1} << (std::lower_bound(variables.begin(), variables.end(), k) - variables.begin());
    sum[code] += term.coefficient;
  }
  for (Index bit = 1; bit < sum.size(); bit *= 2)  // sums over all subsets
    for (Index code = 0; code < sum.size(); ++code)
      if (code & bit) sum[code] += sum[code ^ bit];
  return *std::max_element(sum.begin(), sum.end());
}

std::optional<std::string> pair_violation(Index i, Index j, double coupling,
                                          std::vector<PairTerm> terms) {
  double bound = coupling;
  double scale = std::abs(coupling);
  for (const auto& term : terms) {
    bound += std::max(0.0, term.coefficient);
    scale += std::abs(term.coefficient);
  }
  if (bound <= kRounding * scale) return std::nullopt;
  double interaction = coupling;
  for (const auto& group : groups_of(std::move(terms))) {
    const auto most = largest(group);
    if (!most)
      return message("pair ", i, "-", j, " interacts through more than ", kLargestGroup,
                     " other variables: whether the field is submodular cannot be decided");
    interaction += *most;
  }
  if (interaction <= kRounding * scale) return std::nullopt;
  return message("pair ", i, "-", j, " has interaction ", interaction,
                 " at its largest, which must be <= 0 for a submodular field");
}

}  // namespace

std::optional<std::string> submodularity_violation(const GibbsField& model) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      partners;  // (the other variable, the monomial)
  for (Index i = 0; i < model.size(); ++i) {
    partners.clear();
    for (const Entry& of_i : model.monomials.of_item(i))
      for (const Entry& other : model.monomials.of_group(of_i.index))
        if (other.index > i) partners.emplace_back(other.index, of_i.index);
    std::sort(partners.begin(), partners.end());
    for (Index p = 0; p < partners.size();) {
      const auto j = partners[p].first;
      double coupling = 0;
      std::vector<PairTerm> terms;
      for (; p < partners.size() && partners[p].first == j; ++p) {
        const auto a = partners[p].second;
        PairTerm term{{}, model.coefficient[a]};
        for (const Entry& entry : model.monomials.of_group(a))
          if (entry.index != i && entry.index != j) term.others.push_back(entry.index);
        if (term.others.empty())
          coupling += term.coefficient;
        else
          terms.push_back(std::move(term));
      }
      if (auto reason = pair_violation(i, j, coupling, std::move(terms))) return reason;
    }
  }
  return std::nullopt;
}

}  // namespace surefield
