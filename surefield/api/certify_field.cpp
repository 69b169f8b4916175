// Certificates of fields: minimum cuts, edges, boxes, spectral bounds of faces, boxes and the whole.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/api/certifier.hpp"
#include "surefield/api/helping.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/cut_bound.hpp"
#include "surefield/bounds/elbo/edge_decomposition.hpp"
#include "surefield/bounds/elbo/tiled_cut_bound.hpp"
#include "surefield/bounds/spectral/face_rounds.hpp"
#include "surefield/bounds/spectral/spectral_boxes.hpp"
#include "surefield/bounds/spectral/spectral_faces.hpp"
#include "surefield/bounds/spectral/spectral_root.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "surefield/models/pairwise_field/tracked_set.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr std::size_t kFewBoxes = 300;  // enough where contraction settles most
constexpr Index kQuickSpectral = 120;   // items: a spectral bound costs about as much as inference
// Annealed sets of many items: how many, and how long each.
constexpr std::size_t kAnnealings = 16, kAnnealingSweeps = 1500;
constexpr double kAnnealingGains = 4e6;

}  // namespace

Certificate Certifier::by_field(PairwiseField given) const {
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

Certificate Certifier::by_cuts(const PairwiseField& model, const Box& box, bool tiled) const {
  constexpr const char* kCuts = "minimum cuts";
  const std::size_t rounds = std::min<std::size_t>(60, 6 * options_.effort);
  const CutObserver teller = [&](std::size_t, double bound, double value) {
    tell(value, bound, kCuts);
    return true;
  };
  const auto proof =
      tiled ? tiled_cut_bound(model, box, inside(box, point_),
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

Certificate Certifier::by_whole_field(const PairwiseField& model, const Box& box, bool cuts) const {
  if (cuts) {
    try {
      return by_cuts(model, box, false);
    } catch (const TooMuch&) {  // edges take less memory
    }
  }
  Certificate found = by_edges(model, box, 100);  // almost all that edges can do
  const bool boxes = problem_.is_submodular();
  const bool many = options_.effort > 1 && model.size() > kNewtonItems;
  if (boxes && !many)
    improve(found, [&](const Certifier& from) { return from.by_boxes(kFewBoxes); });
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

Certificate Certifier::by_spectra(const PairwiseField& model, const Box& box) const {
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

bool Certifier::asks_for_nats() const {
  return options_.wanted_gap * std::abs(value_) >= kFaceTolerance;
}

bool Certifier::may_take_faces(const PairwiseField& model) const {
  constexpr double kLittle = 1e-3;
  return options_.effort > 1 && model.size() <= kNewtonItems &&
         (asks_for_nats() || kLittle * std::abs(value_) >= kFaceTolerance);
}

Certificate Certifier::by_faces(const PairwiseField& model, const Box& box) const {
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

Certificate Certifier::by_vectors(const PairwiseField& model, const Box& box,
                                  const char* method) const {
  const Report best = annealed(model, box);
  const SpectralRoot root = spectral_root(
      free_quadratic(model, box, true), SpectralKind::kElbo,
      {.precision = std::clamp(options_.wanted_gap, 1e-6, 1e-4), .budget = options_.budget});
  const double value = std::max(value_, best.value);
  const bool closed = root.bound - value <= options_.wanted_gap * std::abs(value);
  return certificate(method, root.bound, best.value, best.point,
                     closed ? Status::kConverged : Status::kEpochLimit, Basis::kProved);
}

Report Certifier::annealed(const PairwiseField& model, const Box& box) const {
  const Budget budget = options_.budget.part(0.3);
  const Budget alone = budget.with_threads(1);
  const double long_enough = std::clamp(kAnnealingGains / static_cast<double>(model.size() + 1),
                                        50.0, static_cast<double>(kAnnealingSweeps));
  std::vector<Report> found(kAnnealings);
  for_each_index(found.size(), budget.threads(), [&](std::size_t k) {
    const std::vector<double> corner = corner_of(
        annealed_set(
            TrackedSet(model), box,
            {.sweeps = static_cast<std::size_t>(long_enough), .seed = k + 1, .budget = alone}),
        box);
    found[k] = coordinate_ascent(Elbo(model.at(corner)), box, Order::natural(model.size()),
                                 {.epochs = 300, .tolerance = 1e-9, .budget = alone});
  });
  return *std::ranges::max_element(found, {}, &Report::value);
}

std::vector<double> Certifier::inside(const Box& box, std::vector<double> x) {
  for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(x[i]);
  return x;
}

Certificate Certifier::by_edges(const PairwiseField& model, const Box& box,
                                std::size_t iterations) const {
  constexpr const char* kMethod = "dual decomposition by edge";
  const auto proof = edge_dual_bound(model, box, value_,
                                     {.iterations = iterations,
                                      .wanted_gap = options_.wanted_gap,
                                      .threads = options_.budget.threads()},
                                     [&](std::size_t, double bound) {
                                       tell(value_, bound, kMethod);
                                       return go_on();
                                     });
  const auto polished = coordinate_ascent(
      Elbo(model.at(proof.point)), box, Order::natural(model.size()), {.budget = options_.budget});
  return certificate(kMethod, proof.bound, polished.value, polished.point, proof.status,
                     Basis::kProved);
}

}  // namespace surefield
