// The ELBO of a weighted sum as parts: the customers, dimensions and concepts of its terms
// (max_part.hpp) and the stars of its pairwise fields and cuts (star_part.hpp), which share the
// entropy and the linear terms among them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/bounds/elbo/max_part.hpp"
#include "surefield/bounds/elbo/star_part.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {

/// Either kind; see DualPart.
class SumPart {
 public:
  SumPart(MaxPart part) : part_(std::move(part)) {}
  SumPart(StarPart part) : part_(std::move(part)) {}

  std::span<const std::uint32_t> members() const {
    return std::visit([](const auto& part) { return part.members(); }, part_);
  }
  double bound(std::span<const double> theta, std::span<const double> c,
               std::span<const double> low, std::span<const double> high, double precision,
               std::span<double> x) const {
    return std::visit(
        [&](const auto& part) { return part.bound(theta, c, low, high, precision, x); }, part_);
  }
  double value(std::span<const double> x) const {
    return std::visit([&](const auto& part) { return part.value(x); }, part_);
  }
  void gradient(std::span<const double> x, std::span<double> out) const {
    std::visit([&](const auto& part) { part.gradient(x, out); }, part_);
  }

 private:
  std::variant<MaxPart, StarPart> part_;
};

/// inverse_temperature times the sum, plus the entropy; nothing unless every term is a submodular
/// facility location, FLID, coverage, pairwise field or cut with a weight >= 0. Throws Error unless
/// the inverse temperature is finite and > 0.
std::optional<DualDecomposition<SumPart>> sum_decomposition(const WeightedSum& sum,
                                                            double inverse_temperature = 1);

}  // namespace surefield
