// The ELBO of a model as parts, term by term: a best item or a concept is a MaxPart (max_part.hpp),
// pairs are stars that share no edge (star_part.hpp, field_parts.hpp); all share the entropy and the
// linear terms among them. What has one member is linear. Cost: O(terms).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/bounds/elbo/max_part.hpp"
#include "surefield/bounds/elbo/star_part.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

/// Either kind; see DualPart.
class TermPart {
 public:
  TermPart(MaxPart part) : part_(std::move(part)) {}
  TermPart(StarPart part) : part_(std::move(part)) {}

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
  std::string notes() const {
    return std::visit([](const auto& part) { return part.notes(); }, part_);
  }
  void recall(std::string_view notes) const {
    std::visit([&](const auto& part) { part.recall(notes); }, part_);
  }
  std::size_t work() const {
    return std::visit([](const auto& part) { return part.work(); }, part_);
  }

 private:
  std::variant<MaxPart, StarPart> part_;
};

extern template class DualDecomposition<TermPart>;

/// What a model falls into.
struct TermParts {
  DualDecomposition<TermPart> dual;
  bool has_pairs = false;   ///< couplings, of either sign
  bool has_covers = false;  ///< concepts
  bool has_bests = false;   ///< best items
};

/// inverse_temperature * F plus the entropy. Nothing for a model without terms, and for one with a term
/// that is neither a pair nor a best item or concept of weight and values >= 0. Throws Error unless the
/// inverse temperature is finite and > 0.
std::optional<TermParts> term_parts(const AnyModel& model, double inverse_temperature = 1);

}  // namespace surefield
