#include "surefield/learn/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

double z_score(double predicted, double observed, double sets) {
  const double variance = predicted * (1 - predicted) / sets;
  if (variance > 0) return (observed - predicted) / std::sqrt(variance);
  if (observed == predicted) return 0;
  return observed > predicted ? kInfinity : -kInfinity;
}

CalibrationBin bin_of(std::span<const Index> members, std::span<const ItemCalibration> items,
                      double sets) {
  const auto count = static_cast<double>(members.size());
  CalibrationBin bin{.items = members.size(),
                     .range = {items[members.front()].predicted, items[members.back()].predicted}};
  double variance = 0;
  for (const Index i : members) {
    const double p = items[i].predicted;
    bin.predicted += p / count;
    bin.observed += items[i].observed / count;
    variance += p * (1 - p) / sets;
  }
  bin.standard_error = std::sqrt(variance) / count;
  return bin;
}

}  // namespace

Calibration calibrate(std::span<const double> marginals, const SetCollection& held_out, Index bins,
                      const Budget& budget) {
  const Index n = marginals.size();
  require(held_out.items == n, "calibration: there are ", n, " marginals for ", held_out.items,
          " items, which must be one each");
  require(!held_out.sets.empty(), "calibration: there is no set to judge by");
  require(bins >= 1, "calibration: there are 0 bins, which must be at least 1");
  Calibration result{
      .sets = held_out.sets.size(), .bins = {}, .items = std::vector<ItemCalibration>(n)};
  std::vector<Index> counts(n, 0);
  result.sets = 0;
  for (const auto& set : held_out.sets) {
    if (result.sets > 0 && result.sets % 1024 == 0 && budget.spent()) break;
    for (const std::uint32_t i : set) {
      require(i < n, "calibration: a set holds item ", i, ", which must be below ", n);
      ++counts[i];
    }
    ++result.sets;
  }
  result.complete = result.sets == held_out.sets.size();
  const auto sets = static_cast<double>(result.sets);
  CompensatedSum squares;
  for (Index i = 0; i < n; ++i) {
    require(marginals[i] >= 0 && marginals[i] <= 1, "calibration: item ", i, " has marginal ",
            marginals[i], ", which must be in [0, 1]");
    auto& item = result.items[i];
    item = {.predicted = marginals[i], .observed = static_cast<double>(counts[i]) / sets};
    item.z = z_score(item.predicted, item.observed, sets);
    if (std::isfinite(item.z))
      squares.add(item.z * item.z);
    else
      ++result.impossible;
  }
  if (n > result.impossible)
    result.mean_square_z = squares.value() / static_cast<double>(n - result.impossible);

  std::vector<Index> order = natural_order(n);
  std::ranges::stable_sort(order, {}, [&](Index i) { return marginals[i]; });
  const Index used = std::min(bins, n);
  for (Index b = 0; b < used; ++b) {
    const Index begin = b * n / used;
    const Index end = (b + 1) * n / used;
    const CalibrationBin bin =
        bin_of(std::span(order).subspan(begin, end - begin), result.items, sets);
    const double error = std::abs(bin.predicted - bin.observed);
    result.expected_error += static_cast<double>(bin.items) / static_cast<double>(n) * error;
    result.worst_bin_error = std::max(result.worst_bin_error, error);
    result.bins.push_back(bin);
  }
  return result;
}

}  // namespace surefield
