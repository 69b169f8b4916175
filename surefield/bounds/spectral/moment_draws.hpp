// Points of a field drawn from the moments of its spectral relaxation and polished by coordinate ascent: candidates for the best ELBO.
#pragma once

#include <cstdint>

#include "surefield/bounds/spectral/spectral_newton.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

/// The best of the middle z of what was found and so many draws around it, each polished in the domain. The barrier is at the point found; what the
/// quadratic lacks is in the middle of the box. Empty where nothing was found.
Report polished_draws(const PairwiseField& field, const Box& domain, const Box& box,
                      const Quadratic& quadratic, const SpectralBarrier& barrier,
                      const SpectralSearchResult& found, std::size_t draws, std::uint64_t seed,
                      const Budget& budget);

}  // namespace surefield
