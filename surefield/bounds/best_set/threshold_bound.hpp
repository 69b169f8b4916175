// An upper bound of max F by thresholds, for sums of single items, best items and sure concepts.
//
//   max_{i in S} v_i  <=  t + sum_{i in S} (v_i - t)+          for every t >= 0
//   F(S)  <=  c + sum_g t_g + sum_{i in S} r_i,                r_i = u_i + sum_g (v_gi - t_g)+
//
// so max F <= c + sum_g t_g + the sum of the r_i > 0, of the k largest alone where |S| <= k: the size is in the bound and needs no
// multiplier. A sure concept of weight w is the best of values w. The right side is convex in t; its least value is the linear relaxation
// of set cover and of plant location. It is brought down by subgradients with Polyak's steps towards the best value known,
// each step leaning on those before it. Whatever t is, the bound holds: nothing depends on the search.
//
// Cost: O(entries) a step, some hundred steps.
//
// B. Polyak. Minimization of unsmooth functionals. USSR Computational Mathematics 9, 1969. P. Camerini, L. Fratta, F. Maffioli. On improving relaxation
// methods by modified gradient techniques. Mathematical Programming Study 3, 1975. D. Erlenkotter. A dual-based procedure
// for uncapacitated facility location. Operations Research 26, 1978.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

/// c, u and the values v_gi > 0, group by group.
struct ThresholdTerms {
  double constant = 0;
  double size = 0;                ///< of the constant, with what rounding it took to add up
  std::vector<double> worth;      ///< u_i
  std::vector<double> worth_off;  ///< by how much u_i may be off
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> item;
  std::vector<double> value;

  Index size_of_ground_set() const { return worth.size(); }
  Index groups() const { return start.size() - 1; }
};

/// Nothing where the model has terms of another kind, or none at all.
std::optional<ThresholdTerms> threshold_terms(const AnyModel& model);

struct ThresholdOptions {
  std::optional<Index> most = {};  ///< items of the set, those that must be in counted
  double best_known = -kInfinity;  ///< where the steps aim; 0 is taken if nothing is known
  double wanted_gap = 1e-6;        ///< relative to the best known: the search stops there
  std::size_t steps = 3000;
  Budget budget = {};
};

/// Called where the bound has fallen: the r_i, from which good sets can be made. Returns the best value known by then.
using ThresholdObserver = std::function<double(std::span<const double> worth)>;

/// No set of a box of sets has a larger F, but for what the terms differ from the model. Infinite where numbers are not finite.
double threshold_bound(const ThresholdTerms& terms, const Box& box,
                       const ThresholdOptions& options = {},
                       const ThresholdObserver& observer = {});

}  // namespace surefield
