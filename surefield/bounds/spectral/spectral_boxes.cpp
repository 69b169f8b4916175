#include "surefield/bounds/spectral/spectral_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "surefield/bounds/spectral/cut_ends.hpp"
#include "surefield/bounds/spectral/field_contraction.hpp"
#include "surefield/bounds/spectral/moment_draws.hpp"
#include "surefield/bounds/spectral/spectral_parent.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr double kNarrowBox = 1e-7;
constexpr std::size_t kRootDraws = 30;
constexpr double kPatient =
    0.3;                         // of the distance to what is wanted: how exact a bound of a box is
constexpr double kAgain = 0.02;  // of the largest d: the weight that a box begins with
constexpr double kInflate = 1.1;       // of the parent's d, to begin inside
constexpr double kTriangleGain = 0.1;  // of a gap: what triangles must bring at the root to stay
constexpr double kTriangleLast = 0.1;  // of the tolerance, n times the last weight of a barrier
constexpr double kTriangleAgain = 30;  // times that: the first weight of a box
constexpr double kTreeBytes = 0x1p29;  // of all boxes that wait

using SpectralNode = BoxNode<SpectralParent>;

/// One visit of a box.
class SpectralVisit {
 public:
  SpectralVisit(const PairwiseField& field, const Box& domain, bool branches,
                const BoxRoundNow& now)
      : field_(field), domain_(domain), branches_(branches), now_(now) {}

  void operator()(BoxVisit<SpectralParent>& seen) const {
    SpectralNode& node = seen.node;
    seen.where = field_.size();
    if (node.parent && !contract_field(field_, domain_, node.box)) {
      seen.alive = false;
      return;
    }
    const Quadratic quadratic = free_quadratic(field_, node.box, true, kNarrowBox);
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    const double each =
        std::clamp(0.01 * now_.tolerance() / (1 + static_cast<double>(n)), 1e-12, 1e-4);
    SpectralBarrier barrier(quadratic, SpectralKind::kElbo);
    CliqueSearchResult found;
    bool triangles = n > 2 && node.parent && node.parent->uses_cliques;
    const double before = node.bound;
    if (!triangles) {
      found.found = spectral_newton(barrier, start(quadratic, node), search_options(node));
      prove(seen, quadratic, found, each);
      draw(seen, quadratic, barrier, found.found);
    }
    if (n > 2 && (triangles || (!node.parent && branches_)) && node.bound > now_.good_enough()) {
      const double alone = node.bound;
      auto [point, known] = triangle_start(quadratic, node, found.found);
      CliqueSearchResult better = clique_search(barrier, quadratic, std::move(point),
                                                std::move(known), triangle_options(node, n));
      if (better.found.z.size() == n) {
        prove(seen, quadratic, better, each);
        if (triangles) draw(seen, quadratic, barrier, better.found);
        const double value =
            seen.polished.point.empty() ? now_.value : std::max(now_.value, seen.polished.value);
        triangles = triangles || alone - node.bound > kTriangleGain * (alone - value);
        if (triangles) found = std::move(better);
      }
    }
    // Deep down, where boxes are small, triangles have nothing to say and Newton's method is the better search.
    const double enough = now_.good_enough();
    if (node.parent && triangles && node.bound > enough &&
        before - node.bound < kTriangleGain * (before - enough)) {
      SpectralBarrier plain(quadratic, SpectralKind::kElbo);
      const double with = node.bound;
      CliqueSearchResult alone;
      alone.found = spectral_newton(plain, dominant_point(quadratic), search_options(node));
      prove(seen, quadratic, alone, each);
      if (node.bound < with) triangles = false, found = std::move(alone);
    }
    // Where nothing was found the widest is split. An item whose ends have met has nothing left to split.
    Eigen::VectorXd owed =
        found.found.spread.size() == n ? found.found.spread : quadratic.high - quadratic.low;
    for (Eigen::Index i = 0; i < n; ++i)
      if (node.box[quadratic.item[static_cast<std::size_t>(i)]].is_point()) owed[i] = -1;
    Eigen::Index where = -1;
    if (n > 0 && owed.maxCoeff(&where) < 0) where = -1;
    if (where < 0) return;  // a point but for rounding
    // Where no point was found the halves inherit what the box did.
    if (found.found.point.d.size() == n)
      node.parent = handed_on(quadratic, found, triangles, field_.size());
    seen.where = quadratic.item[static_cast<std::size_t>(where)];
  }

 private:
  /// Points drawn from the moments, polished.
  void draw(BoxVisit<SpectralParent>& seen, const Quadratic& quadratic,
            const SpectralBarrier& barrier, const SpectralSearchResult& found) const {
    const std::size_t draws = seen.node.parent ? seen.number % 4 == 0 : kRootDraws;
    if (draws == 0) return;
    Report polished = polished_draws(field_, domain_, seen.node.box, quadratic, barrier, found,
                                     draws, seen.number, now_.budget);
    if (polished.point.empty()) return;
    if (seen.polished.point.empty() || polished.value > seen.polished.value)
      seen.polished = std::move(polished);
  }

  /// The bound of what was found, and what it says of the ends of intervals.
  void prove(BoxVisit<SpectralParent>& seen, const Quadratic& quadratic,
             const CliqueSearchResult& found, double each) const {
    if (found.found.z.size() != static_cast<Eigen::Index>(quadratic.size())) return;
    const SpectralProof proof =
        spectral_proof(with_cliques(quadratic, found.cliques, found.found.point.y), found.found.z,
                       found.found.point.d, each, now_.budget);
    seen.node.bound = std::min(seen.node.bound, proof.bound);
    if (proof.bound < kInfinity && seen.node.bound > now_.good_enough())
      cut_ends(seen, quadratic, proof, now_.good_enough(), each);
  }

  /// Where the search with triangles begins: at the root where that without them ended.
  std::pair<SpectralPoint, std::vector<CliqueInequality>> triangle_start(
      const Quadratic& quadratic, const SpectralNode& node,
      const SpectralSearchResult& found) const {
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    if (!node.parent)
      return {found.z.size() == n ? middle_point(quadratic, 1.5 * found.point.d)
                                  : dominant_point(quadratic),
              {}};
    return inherited(quadratic, node.box, *node.parent);
  }

  CliqueSearchOptions triangle_options(const SpectralNode& node, Eigen::Index n) const {
    CliqueSearchOptions how{.budget = now_.budget};
    how.last = kTriangleLast * now_.tolerance() / static_cast<double>(n);
    how.enough = now_.good_enough() - 0.1 * now_.tolerance();
    if (!node.parent) {
      how.more = 8;
      return how;
    }
    how.first = kTriangleAgain * how.last;
    how.fall = 0.4;
    how.more = 0;
    how.iterations = 40;
    how.joining = 1;
    return how;
  }

  SpectralPoint start(const Quadratic& quadratic, const SpectralNode& node) const {
    if (!node.parent) return dominant_point(quadratic);
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    Eigen::VectorXd d(n);
    for (Eigen::Index i = 0; i < n; ++i)
      d[i] = kInflate * node.parent->d[quadratic.item[static_cast<std::size_t>(i)]];
    return middle_point(quadratic, std::move(d));
  }

  SpectralSearchOptions search_options(const SpectralNode& node) const {
    SpectralSearchOptions how{.budget = now_.budget};
    const double scale = std::max(1.0, std::abs(now_.value));
    how.enough = now_.good_enough() - 0.1 * now_.tolerance();
    how.patience = node.parent ? kPatient : 0;
    how.precision = std::max(node.parent ? 0 : 1e-5, 0.2 * now_.tolerance() / scale);
    if (node.parent)
      how.begin = kAgain * *std::max_element(node.parent->d.begin(), node.parent->d.end());
    return how;
  }

  const PairwiseField& field_;
  const Box& domain_;
  bool branches_;  // one bound alone is to be quick
  const BoxRoundNow& now_;
};

}  // namespace

BoxRoundsReport spectral_boxes(const PairwiseField& field, const Box& box,
                               std::vector<double> point, const BoxRoundsOptions& options) {
  require_inside_unit(box, field.size());
  require_inside(box, point);
  const auto n = static_cast<double>(field.size());
  options.budget.require({.operations = 4 * n * n * n, .bytes = 64 * n * n}, "spectral boxes");
  BoxRoundsOptions bounded = options;
  // Of a box about ten triangles an item wait with it.
  bounded.open_nodes =
      std::min(options.open_nodes, static_cast<std::size_t>(kTreeBytes / (1000 * (n + 1))) + 8);
  const bool branches = options.nodes > 1;
  const double value = Elbo(field.at(point)).value();
  BoxRounds<SpectralParent> rounds(box, std::move(point), value, std::move(bounded));
  return rounds([&](BoxVisit<SpectralParent>& seen, const BoxRoundNow& now) {
    SpectralVisit(field, box, branches, now)(seen);
  });
}

Answerer spectral_box_answerer(PairwiseField field, Box box, bool branches, double relative_gap,
                               double absolute_gap, const Budget& budget) {
  return box_answerer<SpectralParent>(relative_gap, absolute_gap, budget,
                                      [field = std::move(field), box = std::move(box), branches](
                                          BoxVisit<SpectralParent>& seen, const BoxRoundNow& now) {
                                        SpectralVisit(field, box, branches, now)(seen);
                                      });
}

}  // namespace surefield
