// The growing set of every model: what is left of it once the fixed items of a box are settled.
//
// growing_fields.hpp and growing_groups.hpp hold those of the families. A weighted sum grows in all
// its terms at once. A model of no known family has nothing to
// carry: its own set is copied.
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "surefield/bounds/log_z/exact/growing_fields.hpp"
#include "surefield/bounds/log_z/exact/growing_groups.hpp"
#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/models/any_model.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {

/// Any set with its free items numbered from 0: right for every model, and slow.
class GrowingCopy {
 public:
  GrowingCopy(const AnyModel& model, const FreeItems& which)
      : set_(model.empty_set()), free_(std::make_shared<const std::vector<Index>>(which.free)) {
    for (const Index i : which.in) set_.add(i);
  }

  double gain(Index k) const { return set_.gain((*free_)[k]); }
  void grow_from(const GrowingCopy& smaller, Index k) {
    set_ = smaller.set_;
    set_.add((*free_)[k]);
  }

 private:
  AnySet set_;
  std::shared_ptr<const std::vector<Index>> free_;
};

/// Calls use(set) with the growing set of the model, of the type that is fastest for its family.
template <class Use>
auto with_growing_set(const AnyModel& model, const FreeItems& which, Use&& use);

class GrowingSum {
 public:
  GrowingSum(const WeightedSum& model, const FreeItems& which);

  double gain(Index k) const {
    double sum = 0;
    for (const Part& part : parts_)
      sum += part.weight * std::visit([k](const auto& set) { return set.gain(k); }, part.set);
    return sum;
  }
  void grow_from(const GrowingSum& smaller, Index k) {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      std::visit(
          [&](auto& set) {
            set.grow_from(std::get<std::decay_t<decltype(set)>>(smaller.parts_[p].set), k);
          },
          parts_[p].set);
  }

 private:
  using Any = std::variant<GrowingFacilities, GrowingCoherence, GrowingCoverage, GrowingField,
                           GrowingHypergraph, GrowingMonomials, GrowingConcave, GrowingDeterminant,
                           GrowingCopy>;
  struct Part {
    double weight;
    Any set;
  };
  std::vector<Part> parts_;
};

template <class Use>
auto with_growing_set(const AnyModel& model, const FreeItems& which, Use&& use) {
  if (const auto* facility = model.as<FacilityLocation>())
    return use(GrowingFacilities(*facility, which));
  if (const auto* flid = model.as<Flid>()) return use(GrowingFacilities(flid->facility, which));
  if (const auto* fldc = model.as<Fldc>()) return use(GrowingCoherence(*fldc, which));
  if (const auto* coverage = model.as<Coverage>()) return use(GrowingCoverage(*coverage, which));
  if (const auto* field = model.as<PairwiseField>()) return use(GrowingField(*field, which));
  if (const auto* cut = model.as<GraphCut>()) return use(GrowingField(cut->field, which));
  if (const auto* cut = model.as<HypergraphCut>()) return use(GrowingHypergraph(*cut, which));
  if (const auto* field = model.as<GibbsField>()) return use(GrowingMonomials(*field, which));
  if (const auto* concave = model.as<ConcaveOverModular>())
    return use(GrowingConcave(*concave, which));
  if (const auto* log_det = model.as<LogDet>()) return use(GrowingDeterminant(*log_det, which));
  return use(GrowingCopy(model, which));
}

inline GrowingSum::GrowingSum(const WeightedSum& model, const FreeItems& which) {
  for (const auto& term : model.terms)
    if (term.weight != 0)
      parts_.push_back({term.weight, with_growing_set(term.model, which, [](auto&& set) -> Any {
                          return std::move(set);
                        })});
}

}  // namespace surefield
