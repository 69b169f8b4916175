// F of many sets, each given by its items, at the cost of the sets and not of the catalogue.
//
// Of a field, a FLID and an FLDC the sum that evaluate() makes, in its order and so with its bits and its error, over the items of
// the set alone: O(sum of their degrees), O(|S| (D + E)). Of any other model evaluate() itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/models/any_model.hpp"

namespace surefield {

struct Fldc;
struct Flid;
struct PairwiseField;

class SetValues {
 public:
  /// The model must outlive this.
  explicit SetValues(const AnyModel& model);

  /// Items below size(), each once, in any order.
  double operator()(std::span<const std::uint32_t> set);

 private:
  const AnyModel* model_;
  const PairwiseField* field_;
  const Flid* flid_;
  const Fldc* fldc_;
  std::vector<std::uint32_t> sorted_;
  std::vector<std::uint8_t> chosen_;  // of other models
};

}  // namespace surefield
