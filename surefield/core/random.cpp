#include "surefield/core/random.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace surefield {
namespace {

std::uint64_t mix(std::uint64_t z) {  // the finaliser of splitmix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;

}  // namespace

Random::Random(std::uint64_t seed) : state_{} {
  for (auto& word : state_) word = mix(seed += kGolden);
}

std::uint64_t Random::bits() {
  auto& [a, b, c, d] = state_;
  const std::uint64_t result = std::rotl(a + d, 23) + a;
  const std::uint64_t shifted = b << 17;
  c ^= a;
  d ^= b;
  b ^= c;
  a ^= d;
  c ^= shifted;
  d = std::rotl(d, 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t unfair = -bound % bound;  // 2^64 mod bound
  std::uint64_t draw = bits();
  while (draw < unfair) draw = bits();
  return draw % bound;
}

double Random::normal() {
  for (;;) {
    const double a = uniform(-1, 1);
    const double b = uniform(-1, 1);
    const double square = a * a + b * b;
    if (square > 0 && square < 1) return a * std::sqrt(-2 * std::log(square) / square);
  }
}

std::vector<Index> natural_order(Index n) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

std::vector<Index> permutation(Index n, Random& random) {
  auto order = natural_order(n);
  random.shuffle(std::span(order));
  return order;
}

double keyed_uniform(std::uint64_t seed, std::uint64_t first, std::uint64_t second) {
  const std::uint64_t key = mix((mix(mix(seed + kGolden) ^ first) + kGolden) ^ second);
  return static_cast<double>(mix(key + kGolden) >> 11) * 0x1p-53;
}

}  // namespace surefield
