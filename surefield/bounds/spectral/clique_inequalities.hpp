// Clique inequalities of two to five items, triangles and pentagons among them: quadratics that are nowhere negative on a box, so that F plus any multiples y >= 0 of them bounds F.
//
// With v_k = (x_k - zero_k) / (one_k - zero_k) in [0, 1], a whole number a and s = sum_k v_k over two to five items,
//
//   q(x) = a(a + 1)/2 - a s + sum_{k<l} v_k v_l  >=  0
//
// for it is multilinear, and at the corners, where v_k^2 = v_k, it is (s - a)(s - a - 1)/2 with a whole s. Of three items a = 1: of three nodes two are
// on one side. Of five a = 2: pentagons. Of two a = 1: (1 - v_1)(1 - v_2). Which end is `one` says which of the 4 inequalities of a triangle, or the 16 of a
// pentagon, it is. On a smaller box it holds as it is; an item put in leaves one of the others, with a - 1 if v = 1 there.
// A relaxation has moments M_ij for x_i x_j and means z_i; those inequalities that they break are what it does not know yet.
// Cost to look at all triangles: O(n^3), a dozen operations each. Pentagons are too many: triangles that are tight or broken are
// extended by the two items that break them most.
//
// M. Padberg. The Boolean quadric polytope: some characteristics, facets and relatives. Mathematical Programming 45, 1989. Triangles:
// F. Rendl, G. Rinaldi, A. Wiegele. Solving Max-Cut to optimality by intersecting semidefinite and polyhedral relaxations.
// Mathematical Programming 121, 2010. Pentagons: N. Gusmeroli et al. BiqBin. ACM Transactions on Mathematical Software 48, 2022.
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "surefield/bounds/spectral/quadratic.hpp"

namespace surefield {

struct CliqueInequality {
  static constexpr std::size_t kMost = 5;

  std::array<Eigen::Index, kMost> item = {};  ///< ascending; those beyond `items` are unused
  int items = 3;
  int a = 1;
  std::array<float, kMost> zero = {}, one = {};  ///< where v is 0 and 1; they differ

  bool operator==(const CliqueInequality&) const = default;
};

inline auto fields_of(CliqueInequality& clique) {
  auto& [item, items, a, zero, one] = clique;
  const auto each = [](auto&... entry) { return std::tie(entry...); };
  return std::tuple_cat(std::apply(each, item), std::tie(items, a), std::apply(each, zero),
                        std::apply(each, one));
}

/// For lists without repetition.
struct CliqueOrder {
  bool operator()(const CliqueInequality& s, const CliqueInequality& t) const;
};

/// Item k of an inequality, with the interval that the quadratic gives it; flipped: v is 1 at its lower end.
void put_item(CliqueInequality& clique, std::size_t k, Eigen::Index item, bool flipped,
              const Quadratic& quadratic);

/// q(x) = constant + sum_k linear_k x_k + sum over pairs (01, 02, 12, 03, ...) of pair x x.
struct CliqueForm {
  std::array<Eigen::Index, CliqueInequality::kMost> item;
  int items;
  double constant;
  std::array<double, CliqueInequality::kMost> linear;
  std::array<double, CliqueInequality::kMost*(CliqueInequality::kMost - 1) / 2> pair;

  /// use(item, item, pair) of every pair.
  template <class Use>
  void for_each_pair(Use&& use) const {
    std::size_t p = 0;
    for (std::size_t l = 1; l < static_cast<std::size_t>(items); ++l)
      for (std::size_t k = 0; k < l; ++k) use(item[k], item[l], pair[p++]);
  }
};

CliqueForm form_of(const CliqueInequality& clique);

/// The items of an inequality that `place` knows (not negative) by their places; those that it does not are at an end, and what is left of a
/// triangle is a pair. False where it has nothing left to say. `middle` says where the others are.
bool restrict_clique(CliqueInequality& clique, std::span<const Eigen::Index> place,
                     std::span<const double> middle);

/// The quadratic with y_t q_t added, items by their places; rounding goes into its error. Throws nothing; y must not be negative.
Quadratic with_cliques(const Quadratic& quadratic, std::span<const CliqueInequality> cliques,
                       const Eigen::VectorXd& y);

/// The triangles and pairs of the quadratic's box most broken by the moments, by at least `least`, worst first; not those of `known`.
std::vector<CliqueInequality> broken_triangles(const Quadratic& quadratic,
                                               const Eigen::VectorXd& mean,
                                               const Eigen::MatrixXd& moments,
                                               std::span<const CliqueInequality> known,
                                               double least, std::size_t most);

/// Pentagons of the box broken by the moments, made of these triangles (pairs among them are passed over) and two items more each; worst first.
/// Not those of `known`.
std::vector<CliqueInequality> broken_pentagons(const Quadratic& quadratic,
                                               const Eigen::VectorXd& mean,
                                               const Eigen::MatrixXd& moments,
                                               std::span<const CliqueInequality> known,
                                               double least, std::size_t most);

/// The first `most` of a list that are not known; of equal ones in a row one.
std::vector<CliqueInequality> first_unknown(std::span<const CliqueInequality> broken,
                                            std::span<const CliqueInequality> known,
                                            std::size_t most);

}  // namespace surefield
