// What rounding does to a facility location.
//
// A customer with m items has the value sum_l w_l x_l prod_{k>l} (1 - x_k), whose terms are at most
// the largest |w| together. On its way through the tree of L = ceil(log_4 m) levels each term meets
// the rounding of x_l w_l, two for every factor (1 - x_k and its product), and a product and a sum
// at each of two compositions a level: gamma_{2m + 4L}. A derivative has the terms w_l prod and
// -w_j x_j prod, at most |w_l| and the largest |w| together, with six roundings a level; the scan
// that gives the whole gradient meets three for every factor instead, and no levels: both are within
// gamma_{3m+6L+4}. D customers of an item are D additions. Sets compare and subtract numbers as
// they are.
#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/models/facility_location/facility_location.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

struct Customer {
  double size = 0;    // largest |w|
  double range = 0;   // largest w or 0 less the smallest or 0: what the best item can be worth
  double items = 0;   // m
  double levels = 0;  // L
};

Customer customer_of(std::span<const Entry> ranked) {
  Customer customer;
  if (ranked.empty()) return customer;
  const double low = ranked.front().value;
  const double high = ranked.back().value;
  customer.size = std::max(std::abs(low), std::abs(high));
  customer.range = std::max(high, 0.0) - std::min(low, 0.0);
  customer.items = static_cast<double>(ranked.size());
  for (std::size_t width = 1; width < ranked.size(); width *= 4) ++customer.levels;
  customer.levels = std::max(customer.levels, 1.0);
  return customer;
}

}  // namespace

Facts facts_of(const FacilityLocation& model) {
  SizeSum magnitude;
  SizeSum value_error;
  std::vector<Customer> customers(model.forest.lists());
  for (Index d = 0; d < customers.size(); ++d) {
    const Customer& customer = customers[d] = customer_of(model.forest.of_list(d));
    magnitude.add(customer.range);
    value_error.add(roundings(2 * customer.items + 4 * customer.levels) * customer.size);
    value_error.add(4 * customer.items * kTiniest);
  }
  GainErrors gains;
  for (Index i = 0; i < model.size(); ++i) {
    magnitude.add(model.cost[i]);
    value_error.add(roundings(1) * model.cost[i]);
    const auto leaves = model.forest.of_item(i);
    const auto count = static_cast<double>(leaves.size());
    SizeSum error;
    error.add(roundings(count) * model.cost[i]);
    for (const AffineLeaf& leaf : leaves) {
      const Customer& customer = customers[leaf.list];
      error.add(roundings(3 * customer.items + 6 * customer.levels + 4 + count) *
                (std::abs(leaf.weight) + customer.size));
      error.add(4 * customer.items * kTiniest);
    }
    gains.add(error.value());
  }
  const auto terms = static_cast<double>(model.size() + customers.size());
  return facts_of_sum(terms, terms, magnitude, value_error, gains, submodularity_violation(model));
}

}  // namespace surefield
