#include "surefield/bounds/log_z/exact/enumeration.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield::detail {
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

}  // namespace surefield::detail
