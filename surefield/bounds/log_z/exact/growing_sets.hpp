// The growing set of every model: what is left of it once the fixed items of a box are settled.
//
// growing_fields.hpp and growing_groups.hpp hold those of the families. A weighted sum grows in all
// its terms at once. A black box has nothing to carry: its own set is copied.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/models/any_model.hpp"
#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/exact/growing_fields.hpp"
#include "surefield/bounds/log_z/exact/growing_groups.hpp"

namespace surefield {

/// Any set with its free items numbered from 0: right for every model, and slow.
template <SetState S>
class GrowingCopy {
 public:
  template <class M>
  GrowingCopy(const M& model, const FreeItems& which)
      : set_(model.empty_set()), free_(std::make_shared<const std::vector<Index>>(which.free)) {
    for (const Index i : which.in) set_.add(i);
  }

  double gain(Index k) const { return set_.gain((*free_)[k]); }
  void grow_from(const GrowingCopy& smaller, Index k) {
    set_ = smaller.set_;
    set_.add((*free_)[k]);
  }

 private:
  S set_;
  std::shared_ptr<const std::vector<Index>> free_;
};

template <class M>
auto growing_set(const M& model, const FreeItems& which) {
  if constexpr (std::is_same_v<M, FacilityLocation>)
    return GrowingFacilities(model, which);
  else if constexpr (std::is_same_v<M, Flid>)
    return GrowingFacilities(model.facility, which);
  else if constexpr (std::is_same_v<M, Coverage>)
    return GrowingCoverage(model, which);
  else if constexpr (std::is_same_v<M, PairwiseField>)
    return GrowingField(model, which);
  else if constexpr (std::is_same_v<M, GraphCut>)
    return GrowingField(model.field, which);
  else if constexpr (std::is_same_v<M, HypergraphCut>)
    return GrowingHypergraph(model, which);
  else if constexpr (std::is_same_v<M, GibbsField>)
    return GrowingMonomials(model, which);
  else if constexpr (std::is_same_v<M, ConcaveOverModular>)
    return GrowingConcave(model, which);
  else if constexpr (std::is_same_v<M, LogDet>)
    return GrowingDeterminant(model, which);
  else
    return GrowingCopy<std::decay_t<decltype(model.empty_set())>>(model, which);
}

class GrowingSum {
 public:
  GrowingSum(const WeightedSum& model, const FreeItems& which) {
    for (const auto& term : model.terms)
      if (term.weight != 0)
        parts_.push_back(
            {term.weight,
             std::visit([&](const auto& part) -> Any { return growing_set(part, which); },
                        term.model)});
  }

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
  using Any = std::variant<GrowingFacilities, GrowingCoverage, GrowingField, GrowingHypergraph,
                           GrowingMonomials, GrowingConcave, GrowingDeterminant,
                           GrowingCopy<BlackBox::Set>>;
  struct Part {
    double weight;
    Any set;
  };
  std::vector<Part> parts_;
};

inline GrowingSum growing_set(const WeightedSum& model, const FreeItems& which) {
  return GrowingSum(model, which);
}

}  // namespace surefield
