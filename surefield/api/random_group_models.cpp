// Random models of items in groups, and what all random models draw.
#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/api/random_models.hpp"
#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield::random_models {
namespace {

struct Place {
  double east, north;
};

std::vector<Place> places(Index count, Random& random) {
  std::vector<Place> result(count);
  for (Place& place : result) place = {random.uniform(), random.uniform()};
  return result;
}

double distance(const Place& a, const Place& b) {
  return std::hypot(a.east - b.east, a.north - b.north);
}

}  // namespace

std::vector<double> uniform(Index count, double low, double high, Random& random) {
  std::vector<double> values(count);
  for (double& v : values) v = random.uniform(low, high);
  return values;
}

std::vector<std::vector<Entry>> random_groups(Index items, Index groups, double density, double low,
                                              double high, Random& random) {
  std::vector<std::vector<Entry>> result(groups);
  for (auto& group : result) {
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(density)) group.push_back({i, random.uniform(low, high)});
    if (group.empty() && items > 0)
      group.push_back({static_cast<std::uint32_t>(random.below(items)), random.uniform(low, high)});
  }
  return result;
}

AnyModel flid(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index dimensions = options.groups.value_or(5);
  auto weights = uniform(n * dimensions, 0, 1, random);
  auto utility = uniform(n, 0, 0.1 * static_cast<double>(dimensions), random);
  return make_flid(std::move(utility), std::move(weights), dimensions);
}

/// Half of the groups are concepts, each of the items of that chance.
AnyModel fldc(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index groups = options.groups.value_or(6);
  const Index concepts = groups / 2;
  const Index dimensions = groups - concepts;
  auto weights = uniform(n * dimensions, 0, 1, random);
  auto utility = uniform(n, -2, 0.1 * static_cast<double>(dimensions), random);
  std::vector<double> coherence(n * concepts, 0);
  for (double& v : coherence)
    if (random.chance(options.density.value_or(0.3))) v = random.uniform(0, 1);
  return make_fldc(std::move(utility), std::move(weights), dimensions, std::move(coherence),
                   concepts);
}

AnyModel facility_location(const GenerateOptions& options) {
  Random random(options.seed);
  const auto facilities = places(options.items.value_or(20), random);
  const auto customers = places(options.groups.value_or(50), random);
  const double reach = options.density.value_or(0.4);
  std::vector<std::vector<Entry>> benefit(customers.size());
  for (Index c = 0; c < customers.size(); ++c)
    for (std::uint32_t f = 0; f < facilities.size(); ++f)
      if (const double gap = distance(customers[c], facilities[f]); gap < reach)
        benefit[c].push_back({f, 1 - gap / reach});
  return make_facility_location(uniform(facilities.size(), 0.5, 3, random), benefit);
}

AnyModel coverage(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index concepts = options.groups.value_or(40);
  auto cost = uniform(n, 0, 3, random);
  auto weight = uniform(concepts, 0, 2, random);
  return make_coverage(std::move(cost), std::move(weight),
                       random_groups(n, concepts, options.density.value_or(0.2), 0.2, 1, random));
}

/// Hard to certify: items that share what they cover, at costs near a third of it.
AnyModel contested_coverage(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(40);
  const Index concepts = options.groups.value_or(2 * n);
  const double density =
      options.density.value_or(std::min(1.0, 5 / static_cast<double>(std::max<Index>(n, 1))));
  auto weight = uniform(concepts, 0, 3, random);
  const auto members = random_groups(n, concepts, density, 1, 1, random);
  std::vector<double> cost(n, 0);
  for (Index c = 0; c < concepts; ++c)
    for (const Entry& member : members[c])
      cost[member.index] += weight[c] * random.uniform(0.2, 0.5);
  return make_coverage(std::move(cost), std::move(weight), members);
}

AnyModel concave_over_modular(const GenerateOptions& options) {
  Random random(options.seed);
  const Index n = options.items.value_or(20);
  const Index groups = options.groups.value_or(15);
  std::vector<ConcaveOverModular::Group> shapes;
  for (Index g = 0; g < groups; ++g)
    shapes.push_back({random.uniform(0.5, 2), {Concave::Kind::kPower, 0.5}});
  auto members = random_groups(n, groups, options.density.value_or(0.3), 0, 1, random);
  return make_concave_over_modular(uniform(n, -2, 0, random), std::move(shapes), members);
}

AnyModel log_det(const GenerateOptions& options) {
  Random random(options.seed);
  const auto points = places(options.items.value_or(20), random);
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd kernel(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const double gap =
          distance(points[static_cast<Index>(i)], points[static_cast<Index>(j)]) / 0.2;
      kernel(i, j) = 2 * std::exp(-gap * gap / 2) + (i == j ? 0.1 : 0);
    }
  return make_log_det(std::move(kernel), 1000, options.seed);
}

}  // namespace surefield::random_models
