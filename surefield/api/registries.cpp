#include "surefield/api/registries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "surefield/api/registry_words.hpp"
#include "surefield/bounds/log_z/sampling/flid_sampling.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

constexpr Index kMost = 100'000'000;  // entries of W, or sets
constexpr double kSkew = 0.8;         // popularity falls as rank^-kSkew
constexpr Index kStyles = 4;
constexpr double kRaised = 2, kLowered = -1;  // by a shopper's style

double in_thousandths(double value) { return std::round(1000 * value) / 1000; }

void require_in_range(const RegistryOptions& options, Index dimensions, double mean_size) {
  const Index n = options.items;
  require(n >= 1, "registries: there are 0 items, which must be at least 1");
  require(dimensions >= 1 && dimensions <= n, "registries: there are ", dimensions,
          " dimensions, which must be from 1 to the number of items, ", n);
  require(n <= kMost / dimensions, "registries: ", n, " items times ", dimensions,
          " dimensions is more than the limit of ", kMost, " entries");
  require(options.sets <= kMost, "registries: ", options.sets, " sets is more than the limit of ",
          kMost);
  require(mean_size > 0 && mean_size < static_cast<double>(dimensions),
          "registries: the mean size is ", mean_size,
          ", which must be above 0 and below the number of dimensions, ", dimensions);
}

/// Every need is served; beyond that items are spread at random.
std::vector<Index> needs_of(Index items, Index dimensions, Random& random) {
  std::vector<Index> need(items);
  for (Index i = 0; i < items; ++i)
    need[i] = i < dimensions ? i : static_cast<Index>(random.below(dimensions));
  random.shuffle(std::span(need));
  return need;
}

/// log popularity of every item, shifted so that one item at most for each need gives the mean
/// size.
std::vector<double> utilities(const std::vector<Index>& need, Index dimensions, double mean_size,
                              Random& random) {
  const auto rank = permutation(need.size(), random);
  std::vector<double> utility(need.size());
  for (Index i = 0; i < need.size(); ++i)
    utility[i] = -kSkew * std::log(static_cast<double>(rank[i] + 1));
  const auto size_at = [&](double shift) {
    std::vector<double> odds(dimensions, 0);
    for (Index i = 0; i < need.size(); ++i) odds[need[i]] += std::exp(utility[i] + shift);
    double size = 0;
    for (const double o : odds) size += o / (1 + o);
    return size;
  };
  double low = -30;
  double high = 30;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (size_at(middle) < mean_size ? low : high) = middle;
  }
  for (double& u : utility) u = in_thousandths(u + low);
  return utility;
}

std::vector<double> weights_for(const std::vector<Index>& need, Index dimensions, Random& random) {
  std::vector<double> weights(need.size() * dimensions, 0);
  for (Index i = 0; i < need.size(); ++i) {
    weights[i * dimensions + need[i]] = in_thousandths(random.uniform(3, 5));
    const bool serves_two = random.chance(0.3);
    const auto other = static_cast<Index>(random.below(dimensions));
    const double little = in_thousandths(random.uniform(0.05, 0.4));
    if (serves_two && other != need[i]) weights[i * dimensions + other] = little;
  }
  return weights;
}

/// The law of the shoppers of each style: a third of the needs raised, the rest lowered.
std::vector<Flid> styles_of(const Flid& law, const std::vector<Index>& need, Random& random) {
  std::vector<Flid> styles;
  for (Index s = 0; s < kStyles; ++s) {
    const auto order = permutation(law.dimensions, random);
    std::vector<double> shift(law.dimensions, kLowered);
    for (Index k = 0; k < (law.dimensions + 2) / 3; ++k) shift[order[k]] = kRaised;
    std::vector<double> utility = law.utility;
    for (Index i = 0; i < utility.size(); ++i)
      utility[i] = in_thousandths(utility[i] + shift[need[i]]);
    styles.push_back(make_flid(std::move(utility), law.weights, law.dimensions));
  }
  return styles;
}

std::vector<std::vector<std::uint32_t>> draw_sets(const std::vector<Flid>& laws, Index count,
                                                  Random& random) {
  std::vector<FlidSampler> samplers;
  for (const Flid& law : laws) samplers.emplace_back(law);
  std::vector<std::vector<std::uint32_t>> sets(count);
  for (auto& set : sets)
    set = samplers[laws.size() == 1 ? 0 : random.below(laws.size())].draw(random, true);
  return sets;
}

}  // namespace

Registries generate_registries(const RegistryOptions& options) {
  const RegistryCategory& category = registry_category(options.category);
  const Index n = options.items;
  const Index dimensions = options.dimensions.value_or(
      std::clamp<Index>(n / 4, 1, static_cast<Index>(category.needs.size())));
  const double mean_size =
      options.mean_size.value_or(std::min(3.0, static_cast<double>(dimensions) / 2));
  require_in_range(options, dimensions, mean_size);

  Random random(options.seed);
  Registries result;
  result.group_of = needs_of(n, dimensions, random);
  auto utility = utilities(result.group_of, dimensions, mean_size, random);
  auto weights = weights_for(result.group_of, dimensions, random);
  Flid law = make_flid(std::move(utility), std::move(weights), dimensions);
  result.data.items = n;
  result.data.names = registry_item_names(category, result.group_of, random);
  for (Index d = 0; d < dimensions; ++d) {
    const Index kinds = category.needs.size();
    const auto name = category.needs[d % kinds].name;
    result.groups.push_back(d < kinds ? std::string(name) : message(name, " ", d / kinds + 1));
  }
  if (options.complements) {
    result.data.sets = draw_sets(styles_of(law, result.group_of, random), options.sets, random);
  } else {
    std::vector<Flid> laws{std::move(law)};
    result.data.sets = draw_sets(laws, options.sets, random);
    result.truth = std::move(laws.front());
  }
  return result;
}

}  // namespace surefield
