#include "surefield/models/concave_over_modular/concave_over_modular.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"

namespace surefield {
namespace {

constexpr double kMostTable = 16777216;  // numbers in the table of one truncated group: 128 MiB

template <class... Parts>
void require_group(bool rule, Index g, const Parts&... parts) {
  require(rule, "concave over modular: group ", g, " ", parts...);
}

struct Range {
  Index positive = 0;  // how many weights are
  double smallest = kInfinity, largest = 0, total = 0;
  ExactSum sum;  // what total rounds
};

Range range_of(std::span<const Entry> entries) {
  Range range;
  for (const auto& [item, m] : entries) {
    if (m == 0) continue;
    ++range.positive;
    range.smallest = std::min(range.smallest, m);
    range.largest = std::max(range.largest, m);
    range.sum.add(m);
  }
  range.total = range.sum.value();
  return range;
}

void check_entries(Index g, std::span<const Entry> entries, Index n, std::vector<Index>& seen_in) {
  for (const auto& [item, m] : entries) {
    require_group(item < n, g, "holds item ", item, ", but there are ", n, " items");
    require_group(seen_in[item] != g + 1, g, "lists item ", item, " twice");
    seen_in[item] = g + 1;
    require_group(m >= 0 && std::isfinite(m), g, "gives item ", item, " the weight ", m,
                  ", which must be finite and >= 0");
  }
}

void check_whole(Index g, std::span<const Entry> entries) {
  for (const auto& [item, m] : entries)
    require_group(m == std::floor(m), g, "truncates the weight ", m, " of item ", item,
                  ", which must be a whole number");
}

/// Steps are multiples of the greatest common divisor of the weights below c; those from c on are
/// all the same.
ConcaveOverModular::Truncation truncation_of(Index g, double c, std::span<const Entry> entries) {
  double unit = 0;
  for (const auto& [item, m] : entries)  // Euclid
    for (double rest = m < c ? m : 0; rest != 0;) unit = std::exchange(rest, std::fmod(unit, rest));
  if (unit == 0) unit = c;
  double cap = std::ceil(
      c / unit);  // the number of k >= 0 with unit k < c, roundings of the division undone
  while (unit * (cap - 1) >= c) --cap;
  const auto refuse = [&](double numbers) {
    require_group(numbers <= kMostTable, g, "truncates at ", c, ", which needs a table of ",
                  numbers, " numbers, more than the ", kMostTable, " allowed");
  };
  refuse(cap);
  ConcaveOverModular::Truncation result{unit, static_cast<std::uint32_t>(cap), {}, {}};
  for (const auto& [item, m] : entries) {
    if (m == 0) continue;
    result.items.push_back(item);
    result.steps.push_back(m < c ? static_cast<std::uint32_t>(m / unit) : result.cap);
  }
  std::vector<Index> order(result.items.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return result.items[a] < result.items[b]; });
  const auto unsorted = result;
  for (Index k = 0; k < order.size(); ++k) {
    result.items[k] = unsorted.items[order[k]];
    result.steps[k] = unsorted.steps[order[k]];
  }
  refuse(PoissonBinomial::table_size(result.steps, result.cap));
  return result;
}

bool is_linear(const ConcaveOverModular::Group& group, const Range& range) {
  const auto& [kind, parameter] = group.shape;
  ExactSum above = range.sum;  // total - c, of which the sign counts
  if (kind == Concave::Kind::kTruncated) above.add(-parameter);
  return range.positive == 0 || (kind == Concave::Kind::kPower && parameter == 1) ||
         (kind == Concave::Kind::kTruncated && above.sign() <= 0);
}

}  // namespace

Index ConcaveOverModular::Truncation::coin_of(std::uint32_t item) const {
  return static_cast<Index>(std::lower_bound(items.begin(), items.end(), item) - items.begin());
}

double ConcaveOverModular::evaluate(Subset chosen) const {
  CompensatedSum value;
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) value.add(modular[i]);
  for (Index g = 0; g < groups.size(); ++g) {
    CompensatedSum y;
    for (const auto& [item, m] : members.of_group(g))
      if (chosen[item]) y.add(m);
    value.add(groups[g].weight * groups[g].shape(y.value()));
  }
  return value.value();
}

ConcaveOverModular make_concave_over_modular(std::vector<double> modular,
                                             std::vector<ConcaveOverModular::Group> groups,
                                             std::span<const std::vector<Entry>> members,
                                             double tolerance) {
  const Index n = modular.size();
  for (Index i = 0; i < n; ++i)
    require(std::isfinite(modular[i]), "concave over modular: item ", i, " has the modular weight ",
            modular[i], ", which must be finite");
  require(groups.size() == members.size(), "concave over modular: there are ", groups.size(),
          " groups but ", members.size(), " lists of members");
  require(tolerance >= 1e-13 && tolerance <= 0.01, "concave over modular: the tolerance is ",
          tolerance, ", which must be from 1e-13 to 0.01");
  ConcaveOverModular model;
  std::map<std::tuple<Concave::Kind, double, double, double>, std::uint32_t> known;
  std::vector<Index> seen_in(n, 0);
  for (Index g = 0; g < groups.size(); ++g) {
    const auto& [lambda, shape] = groups[g];
    require_group(std::isfinite(lambda), g, "has weight ", lambda, ", which must be finite");
    if (const auto fault = parameter_fault(shape)) require_group(false, g, *fault);
    check_entries(g, members[g], n, seen_in);
    const Range range = range_of(members[g]);
    require_group(range.total <= 1e300, g, "has the total weight ", range.total,
                  ", which must be at most 1e+300");
    require_group(std::isfinite(lambda * shape(range.total)), g, "reaches the value ",
                  lambda * shape(range.total), ", which must be finite");
    model.quadrature_of.push_back(static_cast<std::uint32_t>(model.quadratures.size()));
    model.truncation_of.push_back(ConcaveOverModular::kNone);
    if (shape.kind == Concave::Kind::kTruncated) check_whole(g, members[g]);
    if (is_linear(groups[g], range)) {
      model.quadratures.push_back(linear_quadrature(1));
    } else if (shape.kind == Concave::Kind::kTruncated) {
      model.truncation_of.back() = static_cast<std::uint32_t>(model.truncations.size());
      model.truncations.push_back(truncation_of(g, shape.parameter, members[g]));
    } else if (range.positive == 1) {
      model.quadratures.push_back(jump_quadrature(shape(range.total)));
    } else {
      const double nodes = shape.kind == Concave::Kind::kSaturating
                               ? 1
                               : nodes_needed(shape, range.smallest, range.total, tolerance);
      require_group(nodes <= static_cast<double>(kMostNodes), g, "has weights from ",
                    range.smallest, " to ", range.largest, ", too far apart for a tolerance of ",
                    tolerance);
      const auto [place, fresh] =
          known.try_emplace({shape.kind, shape.parameter, std::floor(std::log2(range.smallest)),
                             std::ceil(std::log2(range.total))},
                            model.quadrature_of.back());
      if (fresh)
        model.quadratures.push_back(
            bernstein_quadrature(shape, range.smallest, range.total, tolerance));
      model.quadrature_of.back() = place->second;
    }
  }
  model.modular = std::move(modular);
  model.groups = std::move(groups);
  model.members = Incidence(n, members);
  model.tolerance = tolerance;
  return model;
}

std::optional<std::string> submodularity_violation(const ConcaveOverModular& model) {
  for (Index g = 0; g < model.groups.size(); ++g) {
    const Range range = range_of(model.members.of_group(g));
    const bool is_modular = range.positive <= 1 || is_linear(model.groups[g], range);
    if (model.groups[g].weight < 0 && !is_modular)
      return message("group ", g, " has weight ", model.groups[g].weight,
                     ", which must be >= 0 for a submodular function");
  }
  return std::nullopt;
}

void ConcaveOverModular::show_terms(TermVisitor& visitor, double weight) const {
  for (Index i = 0; i < size(); ++i) visitor.linear(i, weight * modular[i]);
  for (Index g = 0; g < groups.size(); ++g)
    visitor.concave(members.of_group(g), groups[g].shape, weight * groups[g].weight);
}

}  // namespace surefield
