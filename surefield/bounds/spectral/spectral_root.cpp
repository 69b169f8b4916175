#include "surefield/bounds/spectral/spectral_root.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/spectral/clique_search.hpp"
#include "surefield/bounds/spectral/mixing.hpp"
#include "surefield/bounds/spectral/spectral_newton.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

constexpr double kWithTriangles = 1.5;  // times d, to begin inside

std::vector<double> rounded_draw(const Eigen::VectorXd& drawn) {
  std::vector<double> x;
  for (const double value : drawn) x.push_back(value > 0.5 ? 1 : 0);
  return x;
}

Eigen::VectorXd spectral_noise(Eigen::Index n, Random& random) {
  Eigen::VectorXd noise(n);
  for (double& entry : noise) entry = random.normal();
  return noise;
}

SpectralRoot root_by_newton(const Quadratic& quadratic, SpectralKind kind,
                            const SpectralRootOptions& options) {
  const auto n = static_cast<double>(quadratic.size());
  options.budget.require({.operations = 375 * n * n * n, .bytes = 80 * n * n}, "spectral bound");
  SpectralBarrier barrier(quadratic, kind);
  SpectralSearchResult found =
      spectral_newton(barrier, dominant_point(quadratic),
                      {.precision = options.precision, .budget = options.budget});
  return {kInfinity, found.z, found.point.d, {}};
}

SpectralRoot root_by_mixing(const Quadratic& quadratic, SpectralKind kind,
                            const SpectralRootOptions& options) {
  MixingResult found = mix(
      quadratic, kind, {.progress = 0.1 * options.precision, .budget = options.budget.part(0.3)});
  Random random(1);
  SpectralRoot root{kInfinity, found.z, found.d, {}};
  for (std::size_t k = 0; k < options.draws; ++k) {
    const Eigen::VectorXd noise = spectral_noise(found.vectors.rows(), random);
    // The side of a random plane on which 2 v_i - e_0 lies; e_0 itself stands for an item that is in.
    const Eigen::VectorXd side =
        2 * found.vectors.transpose() * noise - Eigen::VectorXd::Constant(found.z.size(), noise[0]);
    root.draws.push_back(rounded_draw((noise[0] < 0 ? -side : side).array() + 0.5));
  }
  const double least = least_eigenvalue(quadratic.couplings, root.d, 1, options.budget.part(0.3));
  const double size = root.d.cwiseAbs().mean();
  root.d.array() += std::max(0.0, -least) * (1 + 1e-3) + 1e-9 * size;
  return root;
}

/// Where the eigenvalue was not found well enough the diagonal has to grow.
void prove_root(SpectralRoot& root, const Quadratic& quadratic, SpectralKind kind,
                const Budget& budget) {
  if (root.z.size() != root.d.size()) return;
  double more = 1e-5 * root.d.cwiseAbs().mean();
  for (int attempt = 0; attempt < 12; ++attempt) {
    root.bound = spectral_bound(quadratic, kind, root.z, root.d, 1e-9, budget);
    if (std::isfinite(root.bound) || budget.spent()) break;
    root.d.array() += more;
    more *= 6;
  }
}

/// From where the search without triangles ended.
double triangle_log_z(const Quadratic& quadratic, const SpectralRoot& root, const Budget& budget) {
  const auto n = static_cast<double>(quadratic.size());
  budget.require({.operations = 2000 * n * n * n, .bytes = 80 * n * n}, "triangles");
  SpectralBarrier barrier(quadratic, SpectralKind::kLogZ);
  const CliqueSearchResult found =
      clique_search(barrier, quadratic, middle_point(quadratic, kWithTriangles * root.d), {},
                    {.budget = budget.part(0.5)});
  if (found.found.z.size() != root.z.size()) return kInfinity;
  return spectral_bound(with_cliques(quadratic, found.cliques, found.found.point.y),
                        SpectralKind::kLogZ, found.found.z, found.found.point.d, 1e-9, budget);
}

}  // namespace

SpectralRoot spectral_root(const Quadratic& quadratic, SpectralKind kind,
                           const SpectralRootOptions& options) {
  if (quadratic.size() == 0) {
    const Eigen::VectorXd none(0);
    return {spectral_bound(quadratic, kind, none, none), none, none, {}};
  }
  SpectralRoot root = root_by_mixing(quadratic, kind, options);
  prove_root(root, quadratic, kind, options.budget);
  if (quadratic.size() > kNewtonItems || options.budget.spent()) return root;
  const Eigen::VectorXd middle = (quadratic.low + quadratic.high) / 2;
  std::vector<SpectralRoot> others{{kInfinity, middle, dominant_point(quadratic).d, {}}};
  try {
    others.push_back(root_by_newton(quadratic, kind, options));
  } catch (const TooMuch&) {  // the vectors' bound is good enough
  }
  for (SpectralRoot& other : others) {
    prove_root(other, quadratic, kind, options.budget);
    if (other.bound >= root.bound) continue;
    other.draws = std::move(root.draws);
    root = std::move(other);
  }
  return root;
}

double spectral_log_z(const PairwiseField& field, const Box& box,
                      const SpectralLogZOptions& options) {
  const Quadratic quadratic = free_quadratic(field, box, false);
  const SpectralRoot root =
      spectral_root(quadratic, SpectralKind::kLogZ, {.budget = options.budget});
  const std::size_t n = quadratic.size();
  if (!options.triangles || n <= 2 || n > kTriangleItems || !std::isfinite(root.bound) ||
      options.budget.spent())
    return root.bound;
  try {
    return std::min(root.bound, triangle_log_z(quadratic, root, options.budget));
  } catch (const TooMuch&) {
    return root.bound;
  }
}

}  // namespace surefield
