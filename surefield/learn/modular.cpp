#include "surefield/learn/modular.hpp"

#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/flat_sets.hpp"

namespace surefield {

Flid fit_modular(const SetCollection& data, double smoothing) {
  require(std::isfinite(smoothing) && smoothing >= 0, "modular: the smoothing is ", smoothing,
          ", which must be finite and >= 0");
  const FlatSets sets = flat_sets(data);
  const auto counts = item_counts(sets, data.items);
  std::vector<double> utility(data.items);
  for (Index i = 0; i < data.items; ++i) {
    const double with = static_cast<double>(counts[i]) + smoothing;
    const double without = static_cast<double>(sets.size() - counts[i]) + smoothing;
    require(with > 0 && without > 0, "modular: item ", i, " is in ", counts[i], " of ", sets.size(),
            " sets; without smoothing its utility would be infinite");
    utility[i] = std::log(with) - std::log(without);
  }
  return make_flid(std::move(utility), {}, 0);
}

double modular_log_z(const Flid& model) {
  require(model.dimensions == 0, "modular: the model has ", model.dimensions,
          " dimensions, but this log Z is for none");
  CompensatedSum sum;
  for (const double u : model.utility) sum.add(softplus(u));
  return sum.value();
}

}  // namespace surefield
