#include "surefield/models/concave_over_modular/poisson_binomial.hpp"

#include <algorithm>
#include <bit>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

/// How many coefficients every node of the tree needs; node 0 is not used.
std::vector<std::uint64_t> lengths(std::span<const std::uint32_t> steps, std::uint32_t cap) {
  const Index leaves = std::bit_ceil(std::max<Index>(1, steps.size()));
  std::vector<std::uint64_t> length(2 * leaves, 1);
  length[0] = 0;
  for (Index i = 0; i < steps.size(); ++i)
    length[leaves + i] = steps[i] < cap ? std::uint64_t{steps[i]} + 1 : 1;
  for (Index node = leaves; node-- > 1;)
    length[node] = std::min<std::uint64_t>(cap, length[2 * node] + length[2 * node + 1] - 1);
  return length;
}

/// out += left * right, cut at the length of out.
void multiply(std::span<const double> left, std::span<const double> right, std::span<double> out) {
  for (std::size_t j = 0; j < left.size(); ++j) {
    const double p = left[j];
    if (p == 0) continue;  // leaves are nearly all zeros
    const std::size_t end = std::min(right.size(), out.size() - j);
    for (std::size_t k = 0; k < end; ++k) out[j + k] += p * right[k];
  }
}

}  // namespace

double PoissonBinomial::table_size(std::span<const std::uint32_t> steps, std::uint32_t cap) {
  double size = 0;
  for (const std::uint64_t length : lengths(steps, cap)) size += static_cast<double>(length);
  return size;
}

PoissonBinomial::PoissonBinomial(std::span<const std::uint32_t> steps, std::uint32_t cap,
                                 std::span<const double> x)
    : cap_(cap), steps_(steps.begin(), steps.end()) {
  SUREFIELD_ASSERT(cap >= 1 && steps.size() == x.size());
  const auto length = lengths(steps, cap);
  leaves_ = length.size() / 2;
  start_.assign(length.size() + 1, 0);
  for (Index node = 0; node < length.size(); ++node) start_[node + 1] = start_[node] + length[node];
  table_.assign(start_.back(), 0);
  overflow_.assign(length.size(), 0);
  for (Index leaf = leaves_; leaf < 2 * leaves_; ++leaf) table_[start_[leaf]] = 1;
  for (Index i = 0; i < x.size(); ++i) write_leaf(i, x[i]);
  for (Index node = leaves_; node-- > 1;) combine(node);
}

void PoissonBinomial::write_leaf(Index coin, double x) {
  const Index leaf = leaves_ + coin;
  table_[start_[leaf]] = 1 - x;
  if (steps_[coin] < cap_)
    table_[start_[leaf] + steps_[coin]] = x;
  else
    overflow_[leaf] = x;
}

void PoissonBinomial::combine(Index node) {
  const auto left = polynomial(2 * node);
  const auto right = polynomial(2 * node + 1);
  const std::span<double> out(table_.data() + start_[node], table_.data() + start_[node + 1]);
  std::fill(out.begin(), out.end(), 0.0);
  multiply(left, right, out);
  // Y >= cap: the left part alone, or the left at j and the right at cap - j or more.
  double over = overflow_[2 * node];
  double tail = overflow_[2 * node + 1];  // P(right >= cap - j), growing with j
  std::size_t k = right.size();
  for (std::size_t j = 0; j < left.size(); ++j) {
    while (k > 0 && k - 1 + j >= cap_) tail += right[--k];
    over += left[j] * tail;
  }
  overflow_[node] = over;
}

void PoissonBinomial::set(Index coin, double x) {
  write_leaf(coin, x);
  for (Index node = (leaves_ + coin) / 2; node >= 1; node /= 2) combine(node);
}

std::vector<double> PoissonBinomial::without(Index coin) const {
  std::vector<double> rest{1};
  std::vector<double> next;
  for (Index node = leaves_ + coin; node > 1; node /= 2) {
    const auto sibling = polynomial(node ^ 1U);
    next.assign(std::min<std::size_t>(cap_, rest.size() + sibling.size() - 1), 0);
    multiply(rest, sibling, next);
    rest.swap(next);
  }
  return rest;
}

}  // namespace surefield
