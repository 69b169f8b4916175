// Concave functions of modular sums: a group is worth ever less more, the more of it is chosen.
//
//   F(S) = sum_{i in S} modular_i + sum_g lambda_g psi_g(sum_{i in S} m_gi)
//   m(x) = sum_i modular_i x_i
//          + sum_g lambda_g sum_q w_gq (1 - prod_i (1 - x_i (1 - e^{-t_gq m_gi})))
//
// lambda >= 0 makes F submodular. The exponential sums (t, w) are chosen once per shape and range
// of weights by bernstein_quadrature.hpp: every psi_g and every increment of it is met to the
// relative `tolerance`, and so are the values and partials of every group. 1 - e^-y is one node,
// y^1 none.
// min(y, c) needs whole weights and the exact distribution of the sum (poisson_binomial.hpp).
//
// Cost, with Q <= 80 nodes for 1e-10 and weights within six decades: partial and set O(Q) for each
// group of the item, gradient and value O(Q entries); memory O(entries + Q groups). A truncated
// group: as poisson_binomial.hpp. Derivation and figures: docs/models/concave_over_modular.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/incidence.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/concave_over_modular/bernstein_quadrature.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"
#include "surefield/models/concave_over_modular/poisson_binomial.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct ConcaveOverModular {
  static constexpr std::string_view kKind = "concave-over-modular";
  class State;
  class Set;

  struct Group {
    double weight;  ///< lambda_g
    Concave shape;  ///< psi_g
    bool operator==(const Group&) const = default;
  };
  /// A truncated group in whole steps: psi(y) = min(unit k, c), where k counts the steps chosen.
  struct Truncation {
    double unit;
    std::uint32_t cap;  ///< from that many steps on, psi is c
    std::vector<std::uint32_t> items;
    std::vector<std::uint32_t> steps;
    Index coin_of(std::uint32_t item) const;
  };

  std::vector<double> modular;  ///< added for every chosen item; may be negative
  std::vector<Group> groups;
  Incidence members;         ///< group g, entries (item, m_gi >= 0)
  double tolerance = 1e-10;  ///< relative accuracy of values and partials

  // Derived by make_concave_over_modular. A group has a truncation (its index, then quadrature_of
  // is unused) or a sum.
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::vector<BernsteinQuadrature> quadratures;  ///< shared by groups alike
  std::vector<std::uint32_t> quadrature_of;
  std::vector<Truncation> truncations;
  std::vector<std::uint32_t> truncation_of;  ///< kNone where psi is a sum of exponentials

  Index size() const { return modular.size(); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const;
};

/// value() is summed afresh from terms that are all of one sign; partials come from products kept
/// up to date, which each group rebuilds after about four times as many moves as it has items.
class ConcaveOverModular::State {
 public:
  /// Moves of a group of so many entries until its products are rebuilt.
  static std::size_t moves_until_rebuilt(std::size_t entries) {
    return std::max(entries, std::min<std::size_t>(4 * entries + 64, std::size_t{1} << 16));
  }

  State(const ConcaveOverModular& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const;
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v);

 private:
  void rebuild(Index g);
  double group_value(Index g) const;
  double group_partial(Index g, Index i, double m) const;

  const ConcaveOverModular* model_;
  std::vector<double> x_;
  std::vector<std::size_t> start_;  // the products of group g are start_[g] .. start_[g+1]
  std::vector<double> mantissa_;    // prod_i (1 - x_i (1 - e^{-t_q m_i})), scaled_products.hpp
  std::vector<std::int64_t> exponent_;
  std::vector<std::size_t> moves_;     // of a group since its products were last built
  std::vector<PoissonBinomial> sums_;  // of the truncated groups
};

/// gain O(groups of i), or O(their entries) where hardly anything of a group's sum is left; add and
/// remove the same; value O(n + groups).
class ConcaveOverModular::Set {
 public:
  /// A sum is never smaller than this part of all that was added to it and taken away.
  static constexpr double kFresh = 1e-6;

  explicit Set(const ConcaveOverModular& model);

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const;
  double value() const;
  void add(Index i);
  void remove(Index i);

 private:
  CompensatedSum sum_without(Index g, Index i, double m) const;

  const ConcaveOverModular* model_;
  std::vector<std::uint8_t> chosen_;
  std::vector<CompensatedSum> sum_;
  std::vector<Index> count_;   // chosen items of positive weight
  std::vector<double> moved_;  // sizes added to and taken from a sum since it was taken afresh
};

/// Throws Error unless every number is finite, every m >= 0, every item listed once per group,
/// every shape in order, truncated weights whole, and the tolerance from 1e-13 to 0.01.
ConcaveOverModular make_concave_over_modular(std::vector<double> modular,
                                             std::vector<ConcaveOverModular::Group> groups,
                                             std::span<const std::vector<Entry>> members,
                                             double tolerance = 1e-10);

/// Why F is not submodular, naming the group; nothing if every group that is not linear has a
/// weight >= 0.
std::optional<std::string> submodularity_violation(const ConcaveOverModular& model);

/// Sizes, rounding and submodularity, proved in concave_over_modular_facts.cpp.
Facts facts_of(const ConcaveOverModular& model);

}  // namespace surefield
