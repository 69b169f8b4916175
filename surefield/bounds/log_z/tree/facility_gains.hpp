// The gains of a facility location or FLID without negative benefits, from a full table.
//
// From below: the best of each customer, then one row of the table an item, O(customers). From
// above only the best item of a customer gains there, what it has over the second: O(customers)
// for all items together, after a walk down each customer's ranking past the items that are out.
#pragma once

#include "surefield/bounds/log_z/exact/dense_facility.hpp"
#include "surefield/bounds/log_z/tree/gain_bounds.hpp"

namespace surefield {

class FacilityGains final : public GainBounds {
 public:
  explicit FacilityGains(DenseFacility model);

  Index size() const override { return model_.items; }
  double from_below(std::span<const ItemNumber> in, std::span<const ItemNumber> rest,
                    std::span<double> gains) const override;
  void from_above(std::span<const ItemNumber> out, std::span<const ItemNumber> rest,
                  std::span<double> gains) const override;

 private:
  DenseFacility model_;
  std::vector<ItemNumber> ranking_;  // customer by customer, the best first
};

}  // namespace surefield
