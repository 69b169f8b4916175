// A polynomial in the indicator of a set, collected from many places: terms over the same variables
// are added up exactly, whatever cancels, and each sum is rounded once.
//
// A coefficient may come with an error, how far its arithmetic was off, and with the noise of what
// it was made of, which is not known any better. Both are 0 where the numbers given are the truth,
// as in a flip: a coefficient is then left out only if it is 0. Where they are not (logarithms of a
// table), a sum within error and noise has no sign of its own and is left out. Either way
// `inherited` says by how much the polynomial may be off at any set, noise apart.
// Cost: O(terms log terms); pairs, which are most, are kept in one flat list.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "surefield/core/exact_sum.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct Polynomial {
  double constant = 0;
  std::vector<double> bias;
  std::vector<Monomial> terms;  ///< of two or more variables, by number of variables, then in order
  std::vector<double> noise;    ///< of each term: its error, its noise and its rounding
  double inherited = 0;         ///< all errors added up, and what was left out

  bool is_pairwise() const { return terms.empty() || terms.back().variables.size() == 2; }
  std::vector<Edge> edges() const;  ///< of a pairwise one
};

class MonomialSum {
 public:
  /// Variables ascending; none for the constant.
  void add(const std::vector<std::uint32_t>& variables, double coefficient, double error = 0,
           double noise = 0);

  /// Over n variables.
  Polynomial polynomial(Index n) const;

 private:
  struct Term {
    std::uint64_t key;  // first variable * 2^32 + second
    double value, error, noise;
  };
  struct Sum {
    ExactSum value;
    double error = 0;
    double noise = 0;
    void add(double more, double off, double unknown) {
      value.add(more);
      error += off;
      noise += unknown;
    }
  };
  template <class Visit>
  static void by_key(std::vector<Term> terms, Visit&& visit);

  Sum constant_;
  std::vector<Term> singles_, pairs_;
  std::map<std::vector<std::uint32_t>, Sum> higher_;
};

}  // namespace surefield
