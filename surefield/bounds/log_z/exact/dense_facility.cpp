#include "surefield/bounds/log_z/exact/dense_facility.hpp"

#include <algorithm>

#include "surefield/core/numeric.hpp"

namespace surefield {

DenseFacility dense_facility(const FacilityLocation& model, const FreeItems& which, double beta) {
  DenseFacility dense;
  dense.items = which.free.size();
  dense.customers = (model.benefit.groups() + 3) / 4 * 4;
  std::vector<std::uint8_t> chosen(model.size(), 0);
  for (const Index i : which.in) chosen[i] = 1;
  dense.value = beta * model.evaluate(chosen);
  for (const Index i : which.free) dense.modular.push_back(-beta * model.cost[i]);
  std::vector<Index> place(model.size(), dense.items);
  for (Index k = 0; k < dense.items; ++k) place[which.free[k]] = k;
  dense.weights.assign(dense.items * dense.customers, 0);
  for (Index d = 0; d < model.benefit.groups(); ++d) {
    double best = 0;
    if (!which.in.empty()) {  // the best of those in: 0 if one of them is not listed
      Index listed = 0;
      best = -kInfinity;
      for (const auto& [item, weight] : model.benefit.of_group(d))
        if (chosen[item]) best = std::max(best, weight), ++listed;
      if (listed < which.in.size()) best = std::max(best, 0.0);
      for (Index k = 0; k < dense.items; ++k)
        dense.weights[k * dense.customers + d] = beta * std::max(0 - best, 0.0);
    }
    for (const auto& [item, weight] : model.benefit.of_group(d)) {
      const Index k = place[item];
      if (k == dense.items) continue;
      double& to = dense.weights[k * dense.customers + d];
      to = which.in.empty() ? beta * weight : beta * std::max(weight - best, 0.0);
      if (to < 0) dense.floor_is_zero = false;
    }
  }
  return dense;
}

}  // namespace surefield
