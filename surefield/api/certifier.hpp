// How a certificate is looked for, method by method: what certify() (certify.hpp) is made of. certify.cpp: what all methods share, and which go when;
// certify_terms.cpp: methods for sums of terms; certify_field.cpp: methods for fields.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/api/certify.hpp"
#include "surefield/bounds/elbo/branch_and_bound.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/bounds/elbo/term_parts.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/submodular_difference.hpp"

namespace surefield {

class Certifier {
 public:
  Certifier(const Problem& problem, std::span<const double> point, double value,
            const CertifyOptions& options);

  std::optional<Certificate> operator()() const;

 private:
  static constexpr std::size_t kManyBoxes = 40000;  // beyond, other bounds have more to say

  double beta() const { return options_.inverse_temperature; }
  bool go_on() const { return !options_.budget.spent(); }
  /// The same with a share of the time.
  Certifier within(double share) const {
    Certifier part = *this;
    part.options_.budget = options_.budget.part(share);
    return part;
  }

  /// What helpers must know of a search over boxes.
  Subject subject(const char* method, const Box& domain) const;
  BranchAndBoundOptions search(const char* method, std::size_t nodes) const;
  /// `bound` comes without the rounding of the objective, as in certificate().
  void tell(double value, double bound, std::string_view method) const;
  /// For branch and bound: tells, and never stops it.
  std::function<bool(const BranchAndBoundProgress&)> teller(std::string_view method) const;
  /// The bound, or what was known before where that is lower, moved by what rounding can do.
  End least_end(End bound) const;
  /// A certificate for a bound and, if it is better than the one given, a point. `proof`: what the
  /// bound rests on.
  Certificate certificate(std::string method, double bound, double value, std::vector<double> point,
                          Status status, Basis proof) const;
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
    Claim best("the best ELBO");
    best.at_most(found.bound);
    best.at_most(other.bound);
    if (best.high()) other.bound = *best.high();
    found = std::move(other);
    if (options_.watcher)
      options_.watcher({.low = found.value, .high = found.bound.value, .by = found.bound.method});
  }

  // certify_terms.cpp
  std::optional<Certificate> by_terms() const;
  Certificate by_dimension(const DualDecomposition<TermPart>& dual, std::size_t nodes) const;
  /// Where couplings matter the parts settle little more than the root, at many times the cost of a
  /// box: first the root by parts, then boxes; parts again once the boxes are too many to keep.
  Certificate by_root_and_boxes(const DualDecomposition<TermPart>& dual) const;
  /// Concepts of many items: the root by parts, which settles what is easy, then log Z over sets, then boxes below quadratics.
  Certificate by_root_and_covers(const DualDecomposition<TermPart>& dual) const;
  /// No ELBO is above log Z, and a tree over sets takes a thousandth of the time of one over boxes a node; given up early where it
  /// is behind. Items with an interval of their own are free there: that can only raise log Z.
  Certificate by_sets() const;
  Certificate by_covers() const;
  /// Products and cuts of hyperedges, which have no parts: boxes first, then boxes below quadratics where the terms allow them.
  Certificate by_boxes_and_covers() const;
  Certificate by_boxes(std::size_t nodes) const;
  /// Of a model that is not submodular; nothing where it is no known difference of two that are.
  std::optional<Certificate> by_difference() const;

  // certify_field.cpp
  Certificate by_field(PairwiseField given) const;
  Certificate by_cuts(const PairwiseField& model, const Box& box, bool tiled) const;
  /// In one process.
  Certificate by_whole_field(const PairwiseField& model, const Box& box, bool cuts) const;
  /// `model` is at the inverse temperature wanted. Where it would take too much, what is known already.
  Certificate by_spectra(const PairwiseField& model, const Box& box) const;
  /// Whether faces pay: the gap asked for is some nats, or so many are little beside the value and a first step.
  bool asks_for_nats() const;
  bool may_take_faces(const PairwiseField& model) const;
  /// `model` is at the inverse temperature wanted.
  Certificate by_faces(const PairwiseField& model, const Box& box) const;
  Certificate by_vectors(const PairwiseField& model, const Box& box, const char* method) const;
  /// The best of several annealed sets (annealed_set.hpp), each polished in the box.
  Report annealed(const PairwiseField& model, const Box& box) const;
  static std::vector<double> inside(const Box& box, std::vector<double> x);
  /// `model` is at the inverse temperature wanted.
  Certificate by_edges(const PairwiseField& model, const Box& box, std::size_t iterations) const;

  const Problem& problem_;
  const AnyModel& model_;
  Facts facts_;  // of beta F
  std::vector<double> point_;
  double value_;
  PassRounding rounding_;                                   // of the objective
  std::shared_ptr<const SubmodularDifference> difference_;  // where the model is not submodular
  CertifyOptions options_;
};

}  // namespace surefield
