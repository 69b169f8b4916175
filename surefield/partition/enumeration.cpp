#include "surefield/partition/enumeration.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/partition/dense_facility.hpp"

namespace surefield::detail {
namespace {

/// A set of facilities that only grows.
struct GrowingFacilities {
  const DenseFacility* model;
  std::vector<double> best;

  double gain(Index k) const {
    const double* const w = model->row(k);
    const double* const b = best.data();
    double sum[4] = {0, 0, 0, 0};
    for (Index d = 0; d < model->customers; d += 4)
      for (Index lane = 0; lane < 4; ++lane) sum[lane] += std::max(w[d + lane] - b[d + lane], 0.0);
    return model->modular[k] + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
  void add(Index k) {
    const double* const w = model->row(k);
    for (Index d = 0; d < model->customers; ++d) best[d] = std::max(best[d], w[d]);
  }
};

/// A set of a pairwise field that only grows: what every free item would add to it.
struct GrowingField {
  const std::vector<double>* coupling;  // of free items, row by row
  std::vector<double> field;

  double gain(Index k) const { return field[k]; }
  void add(Index k) {
    const double* const row = coupling->data() + k * field.size();
    for (Index j = 0; j < k; ++j) field[j] += row[j];  // the walk asks for lower items only
  }
};

}  // namespace

EnumerationPlan plan_enumeration(Index free, const EnumerationOptions& options) {
  require(std::isfinite(options.beta), "enumeration: the inverse temperature is ", options.beta,
          ", which must be finite");
  require(options.limit <= 40, "enumeration: the limit is ", options.limit,
          " free items, which must be at most 40");
  if (free > options.limit) {
    const double sets = std::ldexp(1.0, static_cast<int>(std::min<Index>(free, 2000)));
    fail("enumeration: ", free, " free items make 2^", free, " = ", sets,
         " sets, more than the limit of 2^", options.limit);
  }
  const Index block_bits = std::min<Index>(free, 12);
  return {free, std::min<Index>(free - block_bits, 6), block_bits};
}

ExactLogZ run_enumeration(Index items, const FreeItems& which, const EnumerationPlan& plan,
                          const EnumerationOptions& options,
                          const std::function<void(std::uint64_t, BlockSums&)>& task) {
  const Index counted = options.marginals ? plan.free : 0;
  std::vector<BlockSums> sums(std::size_t{1} << plan.task_bits, BlockSums(counted));
  const auto run = [&] {
    tbb::parallel_for(std::size_t{0}, sums.size(), [&](std::size_t t) { task(t, sums[t]); });
  };
  if (options.threads == 1) {
    for (std::size_t t = 0; t < sums.size(); ++t) task(t, sums[t]);
  } else if (options.threads == 0) {
    run();
  } else {
    tbb::task_arena(static_cast<int>(options.threads)).execute(run);
  }
  BlockSums total(counted);
  for (const BlockSums& part : sums) total.add(part);
  ExactLogZ result{.log_z = total.log_total(), .marginals = {}};
  if (!options.marginals) return result;
  require(result.log_z > -kInfinity,
          "enumeration: no set has a finite F, so there are no marginals");
  result.marginals.assign(items, 0);
  for (const Index i : which.in) result.marginals[i] = 1;
  for (Index k = 0; k < plan.free; ++k) result.marginals[which.free[k]] = total.share(k);
  return result;
}

bool enumerate_facilities(const FacilityLocation& model, const FreeItems& which,
                          const EnumerationPlan& plan, const EnumerationOptions& options,
                          ExactLogZ& result) {
  const DenseFacility dense = dense_facility(model, which, 1);
  if (!dense.floor_is_zero) return false;
  const GrowingFacilities start{&dense, std::vector<double>(dense.customers, 0)};
  result =
      run_enumeration(model.size(), which, plan, options, [&](std::uint64_t task, BlockSums& sums) {
        EnumerationWalk<GrowingFacilities>(start, dense.value, plan, options.beta).run(task, sums);
      });
  return true;
}

ExactLogZ enumerate_pairwise(const PairwiseField& model, const FreeItems& which,
                             const EnumerationPlan& plan, const EnumerationOptions& options) {
  const Index n = plan.free;
  auto set = model.empty_set();
  for (const Index i : which.in) set.add(i);
  std::vector<Index> place(model.size(), n);
  for (Index k = 0; k < n; ++k) place[which.free[k]] = k;
  std::vector<double> coupling(n * n, 0);
  GrowingField start{&coupling, std::vector<double>(n)};
  for (Index k = 0; k < n; ++k) {
    const Index i = which.free[k];
    start.field[k] = set.gain(i);
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e)
      if (const Index j = place[model.neighbour[e]]; j < n) coupling[k * n + j] = model.coupling[e];
  }
  return run_enumeration(
      model.size(), which, plan, options, [&](std::uint64_t task, BlockSums& sums) {
        EnumerationWalk<GrowingField>(start, set.value(), plan, options.beta).run(task, sums);
      });
}

}  // namespace surefield::detail
