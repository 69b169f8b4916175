// Data sets for the tests of learning, and the mean log-likelihood of one by enumeration.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "surefield/core/set_collection.hpp"
#include "tests/support/reference.hpp"

namespace surefield::testing {

inline SetCollection sets_of(Index items, std::vector<std::vector<std::uint32_t>> sets) {
  SetCollection data;
  data.items = items;
  data.sets = std::move(sets);
  return data;
}

template <class Model>
double mean_log_likelihood(const Model& model, const SetCollection& data) {
  double sum = 0;
  for (const auto& set : data.sets) {
    std::vector<std::uint8_t> chosen(model.size(), 0);
    for (const auto i : set) chosen[i] = 1;
    sum += model.evaluate(chosen);
  }
  return sum / static_cast<double>(data.sets.size()) -
         reference::log_z(reference::all_values(model));
}

}  // namespace surefield::testing
