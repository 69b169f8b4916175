// Between which ends the gains of undecided items lie, once some items are in and some are out.
//
//   F(j | S + R - j)  <=  F(j | S + T)  <=  F(j | S)        T inside R - j, F submodular
//
// S are the items that are in, R those still undecided. Free items are numbered from 0; everything
// is times beta. SetGains asks the sets of any model, FacilityGains keeps a table
// (facility_gains.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/models/any_state.hpp"

namespace surefield {

using ItemNumber = std::uint32_t;

/// Safe to ask from several threads at once.
class GainBounds {
 public:
  virtual ~GainBounds() = default;
  virtual Index size() const = 0;
  /// Returns F(S) for S = `in` and writes F(j | S) for every j of `rest`.
  virtual double from_below(std::span<const ItemNumber> in, std::span<const ItemNumber> rest,
                            std::span<double> gains) const = 0;
  /// Writes F(j | A - j) for every j of `rest`, A all items but those that are `out`.
  virtual void from_above(std::span<const ItemNumber> out, std::span<const ItemNumber> rest,
                          std::span<double> gains) const = 0;
};

class SetGains final : public GainBounds {
 public:
  SetGains(AnySet empty, FreeItems which, double beta)
      : free_(std::move(which.free)), beta_(beta), none_(std::move(empty)), all_(none_) {
    for (const Index i : which.in) none_.add(i);
    all_ = none_;
    for (const Index i : free_) all_.add(i);
  }

  Index size() const override { return free_.size(); }
  double from_below(std::span<const ItemNumber> in, std::span<const ItemNumber> rest,
                    std::span<double> gains) const override {
    AnySet set = none_;
    for (const ItemNumber k : in) set.add(free_[k]);
    for (Index r = 0; r < rest.size(); ++r) gains[r] = beta_ * set.gain(free_[rest[r]]);
    return beta_ * set.value();
  }
  void from_above(std::span<const ItemNumber> out, std::span<const ItemNumber> rest,
                  std::span<double> gains) const override {
    AnySet set = all_;
    for (const ItemNumber k : out) set.remove(free_[k]);
    for (Index r = 0; r < rest.size(); ++r) gains[r] = beta_ * set.gain(free_[rest[r]]);
  }

 private:
  std::vector<Index> free_;
  double beta_;
  AnySet none_, all_;
};

}  // namespace surefield
