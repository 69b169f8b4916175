#include "surefield/api/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/core/sum_of_sizes.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/models/balance.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {
namespace {

/// Half a unit in the last place of every number, added up. A number that was rounded once is known
/// to that, however little of it another model leaves when it is added: the facts of the sum count
/// roundings by the numbers of the sum, and cannot know.
double one_rounding(const PairwiseField& field) {  // every edge is there twice
  return gamma_of(2) *
         (std::abs(field.constant) + sum_of_sizes(field.bias) + sum_of_sizes(field.coupling) / 2);
}

double one_rounding(const GibbsField& field) {
  return gamma_of(2) *
         (std::abs(field.constant) + sum_of_sizes(field.bias) + sum_of_sizes(field.coefficient));
}

/// Rounded when it was flipped, and once more on the way back.
template <class Field>
AnyModel flipped_back(const Field& field, const std::vector<std::uint8_t>& flips) {
  Field back = flipped(field, flips);
  back.inherited_error += one_rounding(field) + one_rounding(back);
  return back;
}

/// The problem's model as its user knows it: fields are the only models that are ever flipped.
AnyModel unflipped(const Problem& problem) {
  if (problem.flips.empty()) return problem.model;
  if (const auto* field = problem.model.as<PairwiseField>())
    return flipped_back(*field, problem.flips);
  if (const auto* field = problem.model.as<GibbsField>())
    return flipped_back(*field, problem.flips);
  fail("agreement: a model of kind ", problem.kind, " cannot have been flipped");
}

std::string name_of(Index i, const std::vector<std::string>& items) {
  return items.empty() ? message("item ", i) : message("item ", i, " ('", items[i], "')");
}

std::vector<double> added(std::vector<double> a, const std::vector<double>& b) {
  for (Index i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

std::vector<std::vector<Entry>> groups_of(const Incidence& a, const Incidence& b) {
  std::vector<std::vector<Entry>> groups;
  for (const Incidence* part : {&a, &b})
    for (Index g = 0; g < part->groups(); ++g)
      groups.emplace_back(part->of_group(g).begin(), part->of_group(g).end());
  return groups;
}

const FacilityLocation* facility_in(const AnyModel& model) {
  if (const auto* flid = model.as<Flid>()) return &flid->facility;
  return model.as<FacilityLocation>();
}

/// The biases of a cut's field are sums, and so are its couplings where edges are parallel.
std::optional<PairwiseField> pairwise_in(const AnyModel& model) {
  if (const auto* cut = model.as<GraphCut>()) {
    PairwiseField field = cut->field;
    field.inherited_error += one_rounding(field);
    return field;
  }
  if (const auto* field = model.as<PairwiseField>()) return *field;
  return std::nullopt;
}

/// What item i costs, not rounded: a FLID's costs are sums.
void add_cost(const AnyModel& model, Index i, ExactSum& sum) {
  if (const auto* flid = model.as<Flid>()) {
    sum.add(-flid->utility[i]);
    for (Index d = 0; d < flid->dimensions; ++d) sum.add(flid->weight(i, d));
  } else if (const auto* facility = model.as<FacilityLocation>()) {
    sum.add(facility->cost[i]);
  }
}

std::vector<double> costs_of_both(const AnyModel& first, const AnyModel& second) {
  std::vector<double> costs(first.size());
  for (Index i = 0; i < costs.size(); ++i) {
    ExactSum sum;
    add_cost(first, i, sum);
    add_cost(second, i, sum);
    costs[i] = sum.value();
  }
  return costs;
}

struct FieldTerms {
  double constant;
  std::vector<double> bias;
  std::vector<Monomial> terms;
  double inherited_error;
};

std::optional<FieldTerms> field_terms(const AnyModel& model) {
  if (const auto* gibbs = model.as<GibbsField>())
    return FieldTerms{gibbs->constant, gibbs->bias, gibbs->terms(), gibbs->inherited_error};
  const auto pairwise = pairwise_in(model);
  if (!pairwise) return std::nullopt;
  FieldTerms field{pairwise->constant, pairwise->bias, {}, pairwise->inherited_error};
  for (const auto& [from, to, weight] : pairwise->edges())
    field.terms.push_back({{from, to}, weight});
  return field;
}

/// The sum inside the family of the two, if it has one.
std::optional<AnyModel> family_sum(const AnyModel& first, const AnyModel& second) {
  const auto *flid = first.as<Flid>(), *other_flid = second.as<Flid>();
  if (flid && other_flid) return sum_of(1, *flid, 1, *other_flid);
  if (const auto* a = facility_in(first), *b = facility_in(second); a && b)
    return make_facility_location(costs_of_both(first, second), groups_of(a->benefit, b->benefit));
  const auto *coverage = first.as<Coverage>(), *other = second.as<Coverage>();
  if (coverage && other) {
    auto weights = coverage->concept_weight;
    weights.insert(weights.end(), other->concept_weight.begin(), other->concept_weight.end());
    return make_coverage(added(coverage->cost, other->cost), std::move(weights),
                         groups_of(coverage->members, other->members));
  }
  if (const auto a = pairwise_in(first), b = pairwise_in(second); a && b) {
    auto edges = a->edges();
    const auto more = b->edges();
    edges.insert(edges.end(), more.begin(), more.end());
    auto sum = make_pairwise_field(added(a->bias, b->bias), edges, a->constant + b->constant);
    sum.inherited_error = a->inherited_error + b->inherited_error;
    return sum;
  }
  auto a = field_terms(first), b = field_terms(second);
  if (!a || !b) return std::nullopt;
  a->terms.insert(a->terms.end(), b->terms.begin(), b->terms.end());
  auto sum =
      make_gibbs_field(added(std::move(a->bias), b->bias), a->terms, a->constant + b->constant);
  sum.inherited_error = a->inherited_error + b->inherited_error;
  return sum;
}

/// The terms of a model: its own if it is a sum, else itself.
void add_terms(const AnyModel& model, std::vector<WeightedSum::Term>& terms) {
  if (const auto* sum = model.as<WeightedSum>())
    terms.insert(terms.end(), sum->terms.begin(), sum->terms.end());
  else
    terms.push_back({1, model});
}

void require_same_items(const Problem& first, const Problem& second) {
  require(first.size() == second.size(), "agreement: one model has ", first.size(),
          " items, the other ", second.size(), "; they must be over the same items");
  if (first.items.empty() || second.items.empty() || first.items == second.items) return;
  const auto [a, b] = std::ranges::mismatch(first.items, second.items);
  auto one = first.items, other = second.items;
  std::ranges::sort(one);
  std::ranges::sort(other);
  fail("agreement: item ", static_cast<Index>(a - first.items.begin()), " is '", *a,
       "' in one model and '", *b, "' in the other; ",
       one == other ? "the items are the same, but must stand in the same order"
                    : "they must be over the same items");
}

}  // namespace

Problem agreement_problem(const Problem& first, const Problem& second, ProblemOptions options) {
  require_same_items(first, second);
  const auto& items = first.items.empty() ? second.items : first.items;
  const Box one = user_box(first), other = user_box(second);
  Box box = one;
  for (Index i = 0; i < box.size(); ++i) {
    box.low[i] = std::max(one.low[i], other.low[i]);
    box.high[i] = std::min(one.high[i], other.high[i]);
    require(box.low[i] <= box.high[i], "agreement: ", name_of(i, items),
            " is left with no value: one model bounds it to [", one.low[i], ", ", one.high[i],
            "], the other to [", other.low[i], ", ", other.high[i], "]");
  }
  options.no_guarantee |= !first.is_submodular() || !second.is_submodular();
  const AnyModel a = unflipped(first), b = unflipped(second);
  if (auto sum = family_sum(a, b)) return make_problem(std::move(*sum), items, box, options);
  std::vector<WeightedSum::Term> terms;
  add_terms(a, terms);
  add_terms(b, terms);
  return make_problem(make_weighted_sum(first.size(), std::move(terms)), items, box, options);
}

Interval agreement_of_non_empty_sets(const Flid& first, const Interval& first_log_z,
                                     const Flid& second, const Interval& second_log_z,
                                     const Interval& agreement) {
  const Interval both = log_z_of_non_empty_sets(
      sum_of(1, first, 1, second), {agreement.low + first_log_z.high + second_log_z.high,
                                    agreement.high + first_log_z.low + second_log_z.low});
  const Interval one = log_z_of_non_empty_sets(first, first_log_z);
  const Interval other = log_z_of_non_empty_sets(second, second_log_z);
  return {both.low - one.high - other.high, both.high - one.low - other.low};
}

}  // namespace surefield
