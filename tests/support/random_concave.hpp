// Random concave-over-modular functions of every shape: ties, zero weights, empty and one-item
// groups, weights over decades.
#pragma once

#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/concave_over_modular/concave_over_modular.hpp"

namespace surefield::testing {

inline Concave random_shape(Random& random) {
  switch (random.below(6)) {
    case 0:
      return {Concave::Kind::kLog};
    case 1:
      return {Concave::Kind::kRatio};
    case 2:
      return {Concave::Kind::kSaturating};
    case 3:
      return {Concave::Kind::kTruncated,
              random.chance(0.5) ? 2.5 : 1 + static_cast<double>(random.below(12))};
    default: {
      constexpr double kPowers[] = {0.01, 0.25, 0.5, 0.75, 0.99, 1};
      return {Concave::Kind::kPower, kPowers[random.below(6)]};
    }
  }
}

/// Whole numbers up to 6 for a truncated shape (some huge), else 0, 1 or e^u with u over `decades`
/// around `centre`.
inline double random_weight(const Concave& shape, double centre, double decades, Random& random) {
  if (random.chance(0.15)) return 0;
  if (shape.kind == Concave::Kind::kTruncated)
    return random.chance(0.1) ? 1e15 : static_cast<double>(random.below(7));
  if (random.chance(0.2)) return centre;
  return centre * std::pow(10.0, decades * random.uniform(-0.5, 0.5));
}

inline ConcaveOverModular random_concave(Index n, double decades, std::uint64_t seed,
                                         double tolerance = 1e-10) {
  Random random(seed);
  std::vector<double> modular(n);
  for (double& c : modular) c = random.chance(0.2) ? 0 : random.uniform(-1, 1);
  std::vector<ConcaveOverModular::Group> groups;
  std::vector<std::vector<Entry>> members;
  for (std::uint64_t g = random.below(5); g < 6; ++g) {
    const Concave shape = random_shape(random);
    groups.push_back({random.chance(0.1) ? 0 : random.uniform(0, 2), shape});
    const double centre = random.chance(0.7) ? 1 : random.chance(0.5) ? 1e-5 : 1e5;
    members.emplace_back();
    const double density = random.chance(0.1) ? 0 : random.uniform(0.1, 1);
    for (std::uint32_t i = 0; i < n; ++i)
      if (random.chance(density))
        members.back().push_back({i, random_weight(shape, centre, decades, random)});
    random.shuffle(std::span(members.back()));
  }
  return make_concave_over_modular(modular, groups, members, tolerance);
}

}  // namespace surefield::testing
