#include "surefield/bounds/spectral/spectral_faces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/bounds/spectral/face_rounds.hpp"
#include "surefield/bounds/spectral/field_contraction.hpp"
#include "surefield/bounds/spectral/mirror.hpp"
#include "surefield/bounds/spectral/moment_draws.hpp"
#include "surefield/bounds/spectral/spectral_parent.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr double kFaceNarrow = 1e-7;
constexpr std::size_t kFaceRootDraws = 30, kFaceDrawEvery = 8;
constexpr double kFaceLast = 0.1;    // of the tolerance, n times the last weight of a barrier
constexpr double kFaceAgain = 30;    // times that: the first weight of a face
constexpr double kFaceInside = 1.5;  // times d without triangles, to begin inside
constexpr double kFaceFar = 8;  // below what is enough: how low a face is that is cut off unseen
constexpr double kFaceBytes = 0x1p29;  // of all faces that wait

bool is_whole(const Box& box, Index item) { return box.low[item] == 0 && box.high[item] == 1; }

class SpectralFaces {
 public:
  SpectralFaces(const PairwiseField& field, const Box& box, bool mirrored,
                std::vector<double> point, const BoxRoundsOptions& options)
      : field_(field),
        domain_(box),
        rounds_(mirrored ? without(box, most_coupled(field)) : box, point,
                Elbo(field.at(point)).value(), mirrored ? 2 : 1, options) {}

  BoxRoundsReport operator()() {
    return rounds_([this](BoxVisit<SpectralParent>& seen) { visit(seen); });
  }

 private:
  static Box without(Box box, Index item) {
    box.fix(item, 0);
    return box;
  }

  void visit(BoxVisit<SpectralParent>& seen) const {
    BoxNode<SpectralParent>& node = seen.node;
    const bool root = !node.parent;
    const Quadratic quadratic = free_quadratic(field_, node.box, true, kFaceNarrow);
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    SpectralBarrier barrier(quadratic, SpectralKind::kElbo);
    CliqueSearchResult found;
    if (root || n <= 2) {
      found.found = spectral_newton(barrier, dominant_point(quadratic),
                                    {.enough = rounds_.enough(), .budget = rounds_.budget()});
      prove(seen, quadratic, found);
    }
    if (n > 2 && node.bound > rounds_.enough()) {
      auto [point, known] =
          !root ? inherited(quadratic, node.box, *node.parent)
                : std::pair(found.found.z.size() == n
                                ? middle_point(quadratic, kFaceInside * found.found.point.d)
                                : dominant_point(quadratic),
                            std::vector<CliqueInequality>());
      CliqueSearchResult better = clique_search(barrier, quadratic, std::move(point),
                                                std::move(known), how_to_search(root, n));
      if (better.found.z.size() == n) {
        found = std::move(better);
        prove(seen, quadratic, found);
      }
    }
    if (root || seen.number % kFaceDrawEvery == 0)
      seen.polished = polished_draws(field_, domain_, node.box, quadratic, barrier, found.found,
                                     root ? kFaceRootDraws : 1, seen.number, rounds_.budget());
    seen.where = to_split(node.box, quadratic, found.found.spread);
    // Where nothing was found the faces inherit what this one did.
    if (found.found.point.d.size() == n)
      node.parent = handed_on(quadratic, found, true, field_.size());
  }

  void prove(BoxVisit<SpectralParent>& seen, const Quadratic& quadratic,
             const CliqueSearchResult& found) const {
    if (found.found.z.size() != static_cast<Eigen::Index>(quadratic.size())) return;
    const double each = std::clamp(
        0.01 * rounds_.tolerance() / (1 + static_cast<double>(quadratic.size())), 1e-12, 1e-4);
    const SpectralProof proof =
        spectral_proof(with_cliques(quadratic, found.cliques, found.found.point.y), found.found.z,
                       found.found.point.d, each, rounds_.budget());
    seen.node.bound = std::min(seen.node.bound, proof.bound);
    if (proof.bound < kInfinity && seen.node.bound > rounds_.enough()) fix(seen, quadratic, proof);
  }

  /// Cuts off faces that are far too low: by the proof with the item kept there, or because all slopes say so.
  void fix(BoxVisit<SpectralParent>& seen, const Quadratic& quadratic,
           const SpectralProof& proof) const {
    Box& box = seen.node.box;
    for (std::size_t k = 0; k < quadratic.item.size(); ++k) {
      const Index item = quadratic.item[k];
      if (!is_whole(box, item)) continue;
      const auto i = static_cast<Eigen::Index>(k);
      const Interval slope = slope_range(field_, box, item);
      const double rest = proof.bound - proof.peak[i];
      const double size = std::abs(proof.bound) + std::abs(proof.peak[i]) + std::abs(proof.l[i]) +
                          std::abs(proof.d[i]);
      for (const bool in : {false, true}) {
        const double kept = rest + (in ? proof.l[i] + proof.d[i] / 2 : 0) + gamma_of(8) * size;
        const double gain = in ? -slope.high : slope.low;  // of the other face, at least
        const double below = seen.node.bound - gain + gamma_of(4) * (size + std::abs(gain));
        const double bound = std::min(kept, below);
        if (!(bound <= rounds_.enough() - kFaceFar)) continue;
        seen.cut_off = log_add(seen.cut_off, bound) + gamma_of(8) * (std::abs(bound) + 1);
        box.fix(item, in ? 0 : 1);
        break;
      }
    }
  }

  /// Of the items that are whole the one that owes most; as many as there are where none is.
  Index to_split(const Box& box, const Quadratic& quadratic, const Eigen::VectorXd& spread) const {
    Index where = field_.size();
    double most = -kInfinity;
    for (std::size_t k = 0; k < quadratic.item.size(); ++k) {
      const Index item = quadratic.item[k];
      if (!is_whole(box, item)) continue;
      const auto at = static_cast<Eigen::Index>(k);
      const double owed = at < spread.size() && !std::isnan(spread[at]) ? spread[at] : 0;
      if (owed > most) most = owed, where = item;
    }
    return where;
  }

  CliqueSearchOptions how_to_search(bool root, Eigen::Index n) const {
    CliqueSearchOptions how{.budget = rounds_.budget()};
    how.last = kFaceLast * rounds_.tolerance() / static_cast<double>(n);
    how.enough = rounds_.enough();
    if (root) {
      how.more = 20;
      how.iterations = 200;
      how.joining = 10;
      how.pentagons = 5;
      how.least = 0.005;
      how.progress = 1e-3;
      return how;
    }
    how.first = kFaceAgain * how.last;
    how.fall = 0.4;
    how.more = 0;
    how.iterations = 40;
    how.joining = 1;
    how.pentagons = 0.5;
    return how;
  }

  const PairwiseField& field_;
  const Box& domain_;
  FaceRounds<SpectralParent> rounds_;
};

}  // namespace

BoxRoundsReport spectral_faces(const PairwiseField& field, const Box& box,
                               std::vector<double> point, const BoxRoundsOptions& options) {
  require_inside_unit(box, field.size());
  require_inside(box, point);
  const auto n = static_cast<double>(field.size());
  options.budget.require({.operations = 4 * n * n * n, .bytes = 64 * n * n}, "spectral faces");
  BoxRoundsOptions bounded = options;
  bounded.open_nodes =
      std::min(options.open_nodes, static_cast<std::size_t>(kFaceBytes / (1000 * (n + 1))) + 8);
  const bool mirrored = n > 0 && is_its_mirror(field, box) && is_whole(box, most_coupled(field));
  return SpectralFaces(field, box, mirrored, std::move(point), bounded)();
}

}  // namespace surefield
