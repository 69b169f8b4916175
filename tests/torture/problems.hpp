// Problem number `seed`: a model, a box of sets, a box with inner intervals and a temperature, all a
// pure function of the seed.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "surefield/core/box.hpp"
#include "tests/torture/families.hpp"

namespace surefield::torture {

struct TortureProblem {
  std::uint64_t seed = 0;
  std::string family;
  AnyModel model, other;  ///< the other is of the same items, for agreement
  Box sets, other_sets;   ///< in, out or free
  Box inner;              ///< any intervals
  double beta = 1;
};

/// Some items in, some out.
inline Box random_sets(Index n, Random& random) {
  Box box = unit_box(n);
  const double density = random.chance(0.5) ? 0 : random.chance(0.1) ? 1 : random.uniform(0, 0.5);
  for (Index i = 0; i < n; ++i)
    if (random.chance(density)) box.fix(i, random.chance(0.5) ? 1 : 0);
  return box;
}

/// Points, slivers next to 0 and 1, and any others.
inline Box random_inner(Index n, Random& random) {
  Box box = unit_box(n);
  for (Index i = 0; i < n; ++i) {
    const double a = random.uniform(), b = random.uniform();
    const std::array<Interval, 10> ways{Interval{0, 1}, {0, 1},
                                        {0, 0},         {1, 1},
                                        {0.5, 0.5},     {std::min(a, b), std::max(a, b)},
                                        {0, 1e-300},    {1 - 0x1p-53, 1},
                                        {5e-324, 1},    {a, a}};
    const Interval in = ways[random.below(ways.size())];
    box.low[i] = in.low;
    box.high[i] = in.high;
  }
  return box;
}

inline double random_temperature(Random& random, const Numbers& numbers) {
  constexpr std::array kUsual{1.0, 1.0, 0.3, 2.5};
  if (numbers.scale() > 1e-9 && numbers.scale() < 1e9 && random.chance(0.7))
    return 1 / numbers.scale();
  if (random.chance(0.7)) return kUsual[random.below(kUsual.size())];
  return std::pow(10, random.uniform(-9, 9));
}

/// Throws Error where the model is refused; `family` is known even then.
inline TortureProblem make_torture_problem(std::uint64_t seed, std::string& family) {
  Random random(seed * 0x9e3779b97f4a7c15ULL + 0x1234567);
  family = kFamilies[random.below(kFamilies.size())];
  const Index n = random.chance(0.1)   ? random.below(2)
                  : random.chance(0.1) ? 7
                                       : 2 + random.below(5);
  Numbers numbers(random);
  TortureProblem problem;
  problem.seed = seed;
  problem.family = family;
  problem.beta = random_temperature(random, numbers);
  problem.sets = random_sets(n, random);
  problem.other_sets = random.chance(0.7) ? unit_box(n) : random_sets(n, random);
  problem.inner = random_inner(n, random);
  Maker maker(n, random, numbers);
  problem.model = maker.make(family);
  const bool same = random.chance(0.5);
  const std::string_view second = kFamilies[random.below(kFamilies.size())];
  try {
    problem.other = maker.make(same ? std::string_view(family) : second);
  } catch (const Error&) {
    problem.other = problem.model;
  }
  return problem;
}

/// Of 10 to `most` items, where there is no truth by enumeration: the families whose states do not
/// hold all values.
inline TortureProblem make_large_problem(std::uint64_t seed, Index most, std::string& family) {
  Random random(seed * 0x9e3779b97f4a7c15ULL + 0x7654321);
  do family = kFamilies[random.below(kFamilies.size())];
  while (family.find("table") != std::string::npos || family.find("box") != std::string::npos ||
         family == "outside terms" || family == "empty");
  const Index n = 10 + random.below(most - 9);
  Numbers numbers(random);
  TortureProblem problem;
  problem.seed = seed;
  problem.beta = random_temperature(random, numbers);
  problem.sets = random_sets(n, random);
  problem.model = Maker(n, random, numbers).make(family);
  family = problem.family = "large " + family;
  return problem;
}

}  // namespace surefield::torture
