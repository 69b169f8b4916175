#include "surefield/bounds/spectral/moment_draws.hpp"

#include <utility>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

Report polished_draws(const PairwiseField& field, const Box& domain, const Box& box,
                      const Quadratic& quadratic, const SpectralBarrier& barrier,
                      const SpectralSearchResult& found, std::size_t draws, std::uint64_t seed,
                      const Budget& budget) {
  Report best;
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  if (found.z.size() != n) return best;
  Random random(seed);
  Eigen::VectorXd noise(n);
  for (std::size_t k = 0; k <= draws; ++k) {
    if (k > 0)
      for (double& entry : noise) entry = random.normal();
    const Eigen::VectorXd from = k == 0 ? found.z : barrier.draw(noise, found.weight);
    std::vector<double> x(field.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(box.low[i] + box[i].width() / 2);
    for (std::size_t at = 0; at < quadratic.item.size(); ++at)
      x[quadratic.item[at]] = box[quadratic.item[at]].clamp(from[static_cast<Eigen::Index>(at)]);
    Report polished = coordinate_ascent(Elbo(field.at(x)), domain, Order::natural(field.size()),
                                        {.epochs = 300, .tolerance = 1e-9, .budget = budget});
    if (best.point.empty() || polished.value > best.value) best = std::move(polished);
  }
  return best;
}

}  // namespace surefield
