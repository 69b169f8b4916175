// Collects coefficients of the same variables from many places, and tells a coefficient from
// rounding.
//
// Where terms cancel, what is left of a coefficient is of the size of the rounding of the terms,
// and its sign is noise; a pair that seems to attract by 1e-17 would spoil a submodular field. Each
// coefficient therefore remembers how large its terms were. Cost: O(terms log terms); pairs, which
// are most, are kept in one flat list.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

class MonomialSum {
 public:
  /// Two or more variables, ascending. `scale` is the size of the numbers that `coefficient` was
  /// computed from.
  void add(const std::vector<std::uint32_t>& variables, double coefficient, double scale);

  /// The pairs whose sum is more than 1e-12 of its scale, in order.
  std::vector<Edge> edges() const;
  /// The same for all monomials, pairs first.
  std::vector<Monomial> terms() const;

 private:
  struct Sum {
    double value = 0;
    double scale = 0;
    void add(double more, double size) {
      value += more;
      scale += size;
    }
    bool is_rounding() const { return std::abs(value) <= 1e-12 * scale; }
  };
  std::vector<std::pair<std::uint64_t, Sum>> pairs_;  // by first variable * 2^32 + second
  std::map<std::vector<std::uint32_t>, Sum> higher_;
};

}  // namespace surefield
