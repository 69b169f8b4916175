#include "surefield/api/certify.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/api/helping.hpp"
#include "surefield/bounds/elbo/box_search.hpp"
#include "surefield/bounds/elbo/branch_and_bound.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/cut_bound.hpp"
#include "surefield/bounds/elbo/edge_decomposition.hpp"
#include "surefield/bounds/elbo/field_of_terms.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/bounds/elbo/term_parts.hpp"
#include "surefield/bounds/elbo/tiled_cut_bound.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/bounds/spectral/cover_boxes.hpp"
#include "surefield/bounds/spectral/face_rounds.hpp"
#include "surefield/bounds/spectral/spectral_boxes.hpp"
#include "surefield/bounds/spectral/spectral_faces.hpp"
#include "surefield/bounds/spectral/spectral_root.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "surefield/models/pairwise_field/tracked_set.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr const char* kByLogZ = "an upper bound of log Z";
constexpr const char* kBySets = "branch and bound of log Z";
constexpr Index kFewItems = 20;            // with concepts: boxes beat many small parts
constexpr Index kDenseItems = 400;         // a quadratic above concepts is dense
constexpr std::size_t kFewBoxes = 300;     // enough where contraction settles most
constexpr std::size_t kManyBoxes = 40000;  // beyond, other bounds have more to say
constexpr Index kQuickSpectral = 120;  // items: a spectral bound costs about as much as inference
constexpr std::size_t kAnnealingSweeps = 1500;
constexpr std::size_t kSpectralDraws = 100;   // of many items
constexpr std::size_t kQuickMembers = 10000;  // beyond, one iteration takes seconds

std::size_t members_of(const DualDecomposition<TermPart>& dual) {
  std::size_t members = 0;
  for (const TermPart& part : dual.parts()) members += part.members().size();
  return members;
}

/// Of the dual, for about the cost of inference: fewer where there are many or large parts.
std::size_t quick_iterations(const DualDecomposition<TermPart>& dual) {
  constexpr std::size_t kMost = 40, kWork = 80000;  // members of parts visited
  return std::clamp(kWork / std::max<std::size_t>(1, members_of(dual)), std::size_t{1}, kMost);
}

class Certifier {
 public:
  Certifier(const Problem& problem, std::span<const double> point, double value,
            const CertifyOptions& options)
      : problem_(problem),
        model_(problem.model),
        facts_(problem.model.facts().times(options.inverse_temperature)),
        point_(point.begin(), point.end()),
        value_(value),
        options_(options) {
    rounding_ = pass_rounding(facts_, model_.size(), value);
  }

  std::optional<Certificate> operator()() const {
    if (facts_.estimated) return std::nullopt;
    // Sums on the way may be beyond a double, and no point has a value to begin with.
    if (!std::isfinite(facts_.magnitude) || !std::isfinite(rounding_.value)) return std::nullopt;
    if (auto field = field_of_terms(model_)) return by_field(std::move(*field));
    return once(options_.budget, options_.crew, [&] { return by_terms(); });
  }

 private:
  double beta() const { return options_.inverse_temperature; }
  bool go_on() const { return !options_.budget.spent(); }

  std::optional<Certificate> by_terms() const {
    if (!problem_.is_submodular()) return std::nullopt;
    auto parts = term_parts(model_, beta());
    if (!parts) return by_boxes(options_.effort);
    if (options_.effort == 1 && members_of(parts->dual) > kQuickMembers) return std::nullopt;
    if (options_.effort > 1 && parts->has_covers && !parts->has_bests &&
        model_.size() > kFewItems && model_.size() <= kDenseItems)
      return by_root_and_covers(parts->dual);
    const bool boxes =
        parts->has_pairs || (parts->has_covers && !parts->has_bests && model_.size() <= kFewItems);
    return boxes ? by_root_and_boxes(parts->dual) : by_dimension(parts->dual, options_.effort);
  }

  /// What helpers must know of a search over boxes.
  Subject subject(const char* method, const Box& domain) const {
    if (options_.helpers == nullptr) return {};
    return {method, packed(BoxSubject{.beta = beta(),
                                      .domain = domain,
                                      .relative_gap = options_.wanted_gap,
                                      .rounding = rounding_,
                                      .branches = options_.effort > 1,
                                      .point = point_})};
  }

  BranchAndBoundOptions search(const char* method, std::size_t nodes) const {
    BranchAndBoundOptions how;
    how.relative_gap = options_.wanted_gap;
    how.nodes = nodes;
    how.budget = options_.budget;
    how.rounding = rounding_;
    how.known_bound = options_.known_bound;
    how.helpers = options_.helpers;
    how.subject = subject(method, problem_.box);
    return how;
  }

  /// `bound` comes without the rounding of the objective, as in certificate().
  void tell(double value, double bound, std::string_view method) const {
    if (!options_.watcher) return;
    options_.watcher({.low = std::max(value, value_),
                      .high = std::min(bound, options_.known_bound) + rounding_.value,
                      .by = method});
  }
  /// For branch and bound: tells, and never stops it.
  std::function<bool(const BranchAndBoundProgress&)> teller(std::string_view method) const {
    if (!options_.watcher) return {};
    return [this, method](const BranchAndBoundProgress& now) {
      tell(now.value, now.upper_bound, method);
      return true;
    };
  }

  /// A certificate for a bound and, if it is better than the one given, a point. `proof`: what the
  /// bound rests on.
  Certificate certificate(std::string method, double bound, double value, std::vector<double> point,
                          Status status, Basis proof) const {
    const bool better = value > value_;
    const bool known = options_.known_bound <= bound;
    // The parts, edges and cuts are of numbers that differ from the true ones by no more than this.
    const double moved = (known ? options_.known_bound : bound) + rounding_.value;
    return {.bound = {.value = moved,
                      .method = known ? kByLogZ : std::move(method),
                      .basis = known ? options_.known_basis : proof},
            .value = better ? value : value_,
            .point = better ? std::move(point) : point_,
            .status = status};
  }

  Certificate by_dimension(const DualDecomposition<TermPart>& dual, std::size_t nodes) const {
    const Elbo elbo(model_.at(point_), beta());
    constexpr const char* kMethod = "branch and bound over dual decomposition by dimension";
    BranchAndBoundOptions how = search(kPartsSubject, nodes);
    if (options_.effort == 1) how.root_iterations = quick_iterations(dual), how.centred_rounds = 0;
    const auto proof = branch_and_bound(elbo, dual, problem_.box, how, teller(kMethod));
    return certificate(kMethod, *proof.report.upper_bound, proof.report.value, proof.report.point,
                       proof.report.status, facts_.basis());
  }

  /// Where couplings matter the parts settle little more than the root, at many times the cost of a
  /// box: first the root by parts, then boxes; parts again once the boxes are too many to keep.
  Certificate by_root_and_boxes(const DualDecomposition<TermPart>& dual) const {
    Certificate found = by_dimension(dual, 1);
    improve(found, [&](const Certifier& from) { return from.by_boxes(kManyBoxes); });
    if (found.status == Status::kEpochLimit && options_.effort > 1)
      improve(found,
              [&](const Certifier& from) { return from.by_dimension(dual, options_.effort); });
    return found;
  }

  /// Concepts of many items: the root by parts, which settles what is easy, then log Z over sets, then boxes below quadratics.
  Certificate by_root_and_covers(const DualDecomposition<TermPart>& dual) const {
    constexpr double kRootShare = 0.2;  // of the time
    Certifier root = *this;
    root.options_.budget = options_.budget.part(kRootShare);
    Certificate found = root.by_dimension(dual, 1);
    improve(found, [&](const Certifier& from) { return from.by_sets(); });
    improve(found, [&](const Certifier& from) { return from.by_covers(); });
    if (found.status == Status::kEpochLimit)
      improve(found,
              [&](const Certifier& from) { return from.by_dimension(dual, options_.effort); });
    return found;
  }

  /// No ELBO is above log Z, and a tree over sets takes a thousandth of the time of one over boxes a node; given up early where it
  /// is behind. Items with an interval of their own are free there: that can only raise log Z.
  Certificate by_sets() const {
    // Shares of the time, and splits.
    constexpr std::pair<double, Index> kStages[] = {{0.3, 100'000}, {0.5, 1'000'000}};
    Box sets = problem_.box;
    for (Index i = 0; i < sets.size(); ++i)
      if (!is_of_sets(sets[i])) sets.low[i] = 0, sets.high[i] = 1;
    LogZTree tree = log_z_tree(model_, &sets, beta());
    const double enough = value_ + options_.wanted_gap * std::abs(value_) - rounding_.value;
    const auto going = [&](const CertifiedLogZProgress& now) {
      tell(value_, now.log_z.high, kBySets);
      return now.log_z.high > enough && now.log_z.low < options_.known_bound;
    };
    for (const auto& [share, splits] : kStages) {
      refine_log_z(tree, {.beta = beta(),
                          .width = 0,
                          .splits = std::min(splits, 20 * options_.effort),
                          .budget = options_.budget.part(share),
                          .observer = going});
      if (tree.log_z().high > options_.known_bound || tree.log_z().high <= enough) break;
    }
    const double bound = tree.log_z().high;
    return certificate(kBySets, bound, value_, point_,
                       bound <= enough ? Status::kConverged : Status::kEpochLimit, tree.basis());
  }

  Certificate by_covers() const {
    constexpr const char* kMethod = "branch and bound over quadratics above concepts";
    try {
      const auto terms = cover_terms(model_, beta());
      const auto proof =
          cover_boxes(model_, *terms, beta(), problem_.box, inside(problem_.box, point_),
                      {.relative_gap = options_.wanted_gap,
                       .nodes = options_.effort,
                       .known_bound = options_.known_bound,
                       .budget = options_.budget,
                       .helpers = options_.helpers,
                       .subject = subject(kCoversSubject, problem_.box)},
                      contraction_slack(rounding_.slope));
      return certificate(kMethod, proof.bound, proof.value, proof.point, proof.status,
                         facts_.basis());
    } catch (const TooMuch&) {
      return certificate(kMethod, options_.known_bound, value_, point_, Status::kEpochLimit,
                         Basis::kProved);
    }
  }

  /// Goes on from what is found, unless that is enough, by a method that returns a certificate.
  void improve(Certificate& found, auto&& method) const {
    if (found.status == Status::kConverged || !go_on()) return;
    Certifier from = *this;
    from.point_ = found.point;
    from.value_ = found.value;
    if (found.bound.value < options_.known_bound) {
      from.options_.known_bound = found.bound.value;
      from.options_.known_basis = found.bound.basis;
    }
    Certificate other = method(from);
    if (other.bound.value >= found.bound.value) other.bound = std::move(found.bound);
    found = std::move(other);
    if (options_.watcher)
      options_.watcher({.low = found.value, .high = found.bound.value, .by = found.bound.method});
  }

  Certificate by_boxes(std::size_t nodes) const {
    constexpr const char* kMethod = "branch and bound over boxes";
    const auto at = [&](std::span<const double> x) { return Elbo(model_.at(x), beta()); };
    const auto proof =
        box_search(at, problem_.box, point_,
                   search(kBoxesSubject, std::min(nodes, options_.effort)), teller(kMethod));
    return certificate(kMethod, *proof.report.upper_bound, proof.report.value, proof.report.point,
                       proof.report.status, facts_.basis());
  }

  Certificate by_field(PairwiseField given) const {
    const PairwiseField model = at_inverse_temperature(std::move(given), beta());
    Box box = problem_.box;
    std::tie(box.low, box.high) = once(options_.budget, options_.crew, [&] {
      Box inner = problem_.box;
      if (problem_.is_submodular() &&
          !contract(Elbo(model.at(point_)), problem_.box, inner,
                    {.slack = contraction_slack(rounding_.slope), .budget = options_.budget}))
        inner = problem_.box;
      return std::pair(std::move(inner.low), std::move(inner.high));
    });
    const bool balanced = attracting_flips(model, box).has_value();
    const bool tiled = model.size() > options_.tiled_items;
    if (balanced && tiled) {
      try {
        return by_cuts(model, box, true);
      } catch (const TooMuch&) {  // edges take less memory
      }
    }
    return once(options_.budget, options_.crew,
                [&] { return by_whole_field(model, box, balanced && !tiled); });
  }

  Certificate by_cuts(const PairwiseField& model, const Box& box, bool tiled) const {
    constexpr const char* kCuts = "minimum cuts";
    const std::size_t rounds = std::min<std::size_t>(60, 6 * options_.effort);
    const CutObserver teller = [&](std::size_t, double bound, double value) {
      tell(value, bound, kCuts);
      return true;
    };
    const auto proof =
        tiled
            ? tiled_cut_bound(model, box, inside(box, point_),
                              {.rounds = rounds,
                               .wanted_gap = options_.wanted_gap,
                               .tile = options_.tile,
                               .budget = options_.budget,
                               .crew = options_.crew},
                              teller)
            : cut_bound(
                  model, box,
                  {.rounds = rounds, .wanted_gap = options_.wanted_gap, .budget = options_.budget},
                  teller);
    return certificate(kCuts, proof.bound, proof.value, proof.point, proof.status, Basis::kProved);
  }

  /// In one process.
  Certificate by_whole_field(const PairwiseField& model, const Box& box, bool cuts) const {
    if (cuts) {
      try {
        return by_cuts(model, box, false);
      } catch (const TooMuch&) {  // edges take less memory
      }
    }
    Certificate found = by_edges(model, box, 100);  // almost all that edges can do
    const bool boxes = problem_.is_submodular();
    if (boxes) improve(found, [&](const Certifier& from) { return from.by_boxes(kFewBoxes); });
    if (may_take_faces(model))
      improve(found, [&](const Certifier& from) { return from.by_faces(model, box); });
    if (options_.effort > 1 || model.size() <= kQuickSpectral)
      improve(found, [&](const Certifier& from) { return from.by_spectra(model, box); });
    if (options_.effort == 1) return found;
    if (boxes) improve(found, [&](const Certifier& from) { return from.by_boxes(kManyBoxes); });
    if (found.status == Status::kEpochLimit)
      improve(found, [&](const Certifier& from) {
        return from.by_edges(model, box, boxes ? 10000 : 100000);
      });
    return found;
  }

  /// `model` is at the inverse temperature wanted. Where it would take too much, what is known already.
  Certificate by_spectra(const PairwiseField& model, const Box& box) const {
    constexpr const char* kMethod = "spectral bound";
    try {
      if (model.size() > kNewtonItems) return by_vectors(model, box, kMethod);
      const auto proof = spectral_boxes(model, box, inside(box, point_),
                                        {.relative_gap = options_.wanted_gap,
                                         .nodes = options_.effort,
                                         .known_bound = options_.known_bound,
                                         .budget = options_.budget,
                                         .helpers = options_.helpers,
                                         .subject = subject(kSpectraSubject, box)});
      return certificate(kMethod, proof.bound, proof.value, proof.point, proof.status,
                         Basis::kProved);
    } catch (const TooMuch&) {
      return certificate(kMethod, options_.known_bound, value_, point_, Status::kEpochLimit,
                         options_.known_basis);
    }
  }

  /// Whether faces pay: the gap asked for is some nats, or so many are little beside the value and a first step.
  bool asks_for_nats() const { return options_.wanted_gap * std::abs(value_) >= kFaceTolerance; }
  bool may_take_faces(const PairwiseField& model) const {
    constexpr double kLittle = 1e-3;
    return options_.effort > 1 && model.size() <= kNewtonItems &&
           (asks_for_nats() || kLittle * std::abs(value_) >= kFaceTolerance);
  }

  /// `model` is at the inverse temperature wanted.
  Certificate by_faces(const PairwiseField& model, const Box& box) const {
    constexpr const char* kMethod = "spectral bounds of faces";
    constexpr double kAlmostWhole = 0.99;
    Box faces =
        box;  // what is left of an item that is almost whole is no reason not to split it at its ends
    for (Index i = 0; i < faces.size(); ++i)
      if (box[i].width() > kAlmostWhole)
        faces.low[i] = problem_.box.low[i], faces.high[i] = problem_.box.high[i];
    try {
      const auto proof =
          spectral_faces(model, faces, inside(faces, point_),
                         {.relative_gap = options_.wanted_gap,
                          .absolute_gap = kFaceTolerance,
                          .nodes = options_.effort,
                          .known_bound = options_.known_bound,
                          .budget = asks_for_nats() ? options_.budget : options_.budget.part(0.5)});
      const bool closed = proof.bound - proof.value <= options_.wanted_gap * std::abs(proof.value);
      return certificate(kMethod, proof.bound, proof.value, proof.point,
                         closed ? Status::kConverged : Status::kEpochLimit, Basis::kProved);
    } catch (const TooMuch&) {
      return certificate(kMethod, options_.known_bound, value_, point_, Status::kEpochLimit,
                         options_.known_basis);
    }
  }

  Certificate by_vectors(const PairwiseField& model, const Box& box, const char* method) const {
    const Quadratic quadratic = free_quadratic(model, box, true);
    const SpectralRoot root =
        spectral_root(quadratic, SpectralKind::kElbo,
                      {.precision = std::clamp(options_.wanted_gap, 1e-6, 1e-4),
                       .draws = kSpectralDraws,
                       .budget = options_.budget});
    double value = value_;
    std::vector<double> best = point_;
    const Budget half = options_.budget.part(0.5);
    Random random(1);
    for (const std::vector<double>& draw : root.draws) {
      if (half.spent()) break;
      std::vector<double> x = inside(box, point_);
      for (Index k = 0; k < quadratic.item.size(); ++k)
        x[quadratic.item[k]] = box[quadratic.item[k]].clamp(draw[k]);
      x = annealed(model, box, x, random.bits());
      auto polished =
          coordinate_ascent(Elbo(model.at(x)), box, Order::natural(model.size()),
                            {.epochs = 300, .tolerance = 1e-9, .budget = options_.budget});
      if (polished.value > value) value = polished.value, best = std::move(polished.point);
      if (root.bound - value <= options_.wanted_gap * std::abs(value)) break;
    }
    const bool closed = root.bound - value <= options_.wanted_gap * std::abs(value);
    return certificate(method, root.bound, value, std::move(best),
                       closed ? Status::kConverged : Status::kEpochLimit, Basis::kProved);
  }

  /// A corner of the box by annealing from another.
  std::vector<double> annealed(const PairwiseField& model, const Box& box,
                               const std::vector<double>& x, std::uint64_t seed) const {
    TrackedSet set(model);
    for (Index i = 0; i < x.size(); ++i)
      if (x[i] >= 0.5) set.add(i);
    return corner_of(
        annealed_set(std::move(set), box,
                     {.sweeps = kAnnealingSweeps, .seed = seed, .budget = options_.budget}),
        box);
  }

  static std::vector<double> inside(const Box& box, std::vector<double> x) {
    for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(x[i]);
    return x;
  }

  /// `model` is at the inverse temperature wanted.
  Certificate by_edges(const PairwiseField& model, const Box& box, std::size_t iterations) const {
    constexpr const char* kMethod = "dual decomposition by edge";
    const auto proof = edge_dual_bound(model, box, value_,
                                       {.iterations = iterations,
                                        .wanted_gap = options_.wanted_gap,
                                        .threads = options_.budget.threads()},
                                       [&](std::size_t, double bound) {
                                         tell(value_, bound, kMethod);
                                         return go_on();
                                       });
    const auto polished =
        coordinate_ascent(Elbo(model.at(proof.point)), box, Order::natural(model.size()),
                          {.budget = options_.budget});
    return certificate(kMethod, proof.bound, polished.value, polished.point, proof.status,
                       Basis::kProved);
  }

  const Problem& problem_;
  const AnyModel& model_;
  Facts facts_;  // of beta F
  std::vector<double> point_;
  double value_;
  PassRounding rounding_;  // of the objective
  CertifyOptions options_;
};

}  // namespace

std::optional<Certificate> certify(const Problem& problem, std::span<const double> point,
                                   double value, const CertifyOptions& options) {
  require(!std::isnan(options.known_bound),
          "certify: the known bound is nan, which must be a number");
  return Certifier(problem, point, value, options)();
}

}  // namespace surefield
