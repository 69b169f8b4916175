#include "surefield/learn/mean_field_layer.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/learn/layer_element.hpp"

namespace surefield {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// work(model) for the family of the structure. The families with derivatives, once and for all.
template <class Work>
auto with_family(const AnyModel& structure, Work&& work) {
  if (const auto* flid = structure.as<Flid>()) return work(*flid);
  if (const auto* field = structure.as<PairwiseField>()) return work(*field);
  if (const auto* coverage = structure.as<Coverage>()) return work(*coverage);
  if (const auto* facility = structure.as<FacilityLocation>()) return work(*facility);
  if (const auto* sum = structure.as<WeightedSum>()) return work(*sum);
  fail("mean field layer: the structure is a ", structure.kind(),
       ", which has no derivatives in its parameters; ", Flid::kKind, ", ", FacilityLocation::kKind,
       ", ", Coverage::kKind, ", ", PairwiseField::kKind, " and ", WeightedSum::kKind, " have");
}

/// work(e) for every element; what an element throws is its own reason and nobody else's.
void for_each_element(std::size_t count, const Budget& budget, std::span<std::string> reason,
                      const std::function<void(std::size_t)>& work) {
  for_each_index(count, budget, [&](std::size_t e) {
    reason[e].clear();
    try {
      work(e);
    } catch (const Error& error) {
      reason[e] = error.what();
    }
  });
}

void prepare(const LayerDerivatives& out) {
  std::ranges::fill(out.parameters, 0.0);
  std::ranges::fill(out.inverse_temperature, 0.0);
  std::ranges::fill(out.elbo_slope, 0.0);
  std::ranges::fill(out.reason, "interrupted");
}

}  // namespace

MeanFieldLayer::MeanFieldLayer(AnyModel structure, MeanFieldLayerOptions options)
    : structure_(std::move(structure)), options_(options) {
  require(options_.epochs > 0, "mean field layer: the epochs are 0, which must be at least 1");
  require(std::isfinite(options_.tolerance) && options_.tolerance >= 0,
          "mean field layer: the tolerance is ", options_.tolerance,
          ", which must be finite and >= 0");
  with_family(structure_, [&](const auto& model) {
    static_cast<void>(derivatives_of(model));  // refuses terms that are sampled
    blocks_ = parameter_blocks(model);
  });
  for (const ParameterBlock& block : blocks_) parameter_count_ += block.size();
}

std::vector<double> MeanFieldLayer::parameters() const {
  return with_family(structure_, [](const auto& model) { return surefield::parameters(model); });
}

void MeanFieldLayer::require_sizes(const LayerBatch& batch,
                                   const LayerDerivatives* derivatives) const {
  const auto check = [&](std::size_t found, std::size_t width, bool optional, const char* what) {
    require(found == batch.count * width || (optional && found == 0),
            "mean field layer: there are ", found, " numbers for the ", what, " of ", batch.count,
            " elements, which must be ", batch.count * width);
  };
  check(batch.parameters.size(), parameter_count_, false, "parameters");
  check(batch.inverse_temperature.size(), 1, false, "inverse temperatures");
  check(batch.include.size(), items(), true, "included items");
  check(batch.exclude.size(), items(), true, "excluded items");
  if (derivatives == nullptr) return;
  check(derivatives->parameters.size(), parameter_count_, false, "derivatives");
  check(derivatives->inverse_temperature.size(), 1, false, "derivatives in the temperature");
  check(derivatives->elbo_slope.size(), 1, true, "derivatives in the slopes");
  check(derivatives->reason.size(), 1, false, "reasons");
}

void MeanFieldLayer::forward(const LayerBatch& batch, const LayerAnswer& answer,
                             const Budget& budget) const {
  require_sizes(batch, nullptr);
  require(answer.marginals.size() == batch.count * items() && answer.elbo.size() == batch.count &&
              answer.upper_bound.size() == batch.count && answer.status.size() == batch.count &&
              answer.reason.size() == batch.count,
          "mean field layer: the answer must have room for ", batch.count, " elements");
  std::ranges::fill(answer.marginals, kNaN);
  std::ranges::fill(answer.elbo, kNaN);
  std::ranges::fill(answer.upper_bound, kInfinity);
  std::ranges::fill(answer.status, Status::kInterrupted);
  with_family(structure_, [&](const auto& structure) {
    for_each_element(batch.count, budget, answer.reason, [&](std::size_t e) {
      detail::answer_one(structure, options_, batch, e, answer, budget);
    });
  });
  for (std::size_t e = 0; e < batch.count; ++e) {
    if (answer.reason[e].empty()) continue;
    answer.status[e] = Status::kFailed;
    answer.elbo[e] = kNaN;
    answer.upper_bound[e] = kInfinity;
  }
}

void MeanFieldLayer::backward(const LayerBatch& batch, std::span<const double> marginals,
                              const LayerSlopes& slopes, const LayerDerivatives& derivatives,
                              const Budget& budget) const {
  require_sizes(batch, &derivatives);
  require(marginals.size() == batch.count * items() &&
              (slopes.marginals.empty() || slopes.marginals.size() == marginals.size()) &&
              (slopes.elbo.empty() || slopes.elbo.size() == batch.count),
          "mean field layer: the marginals and slopes must be those of ", batch.count, " elements");
  prepare(derivatives);
  with_family(structure_, [&](const auto& structure) {
    for_each_element(batch.count, budget, derivatives.reason, [&](std::size_t e) {
      detail::back_one(structure, options_, batch, e, marginals, slopes, derivatives);
    });
  });
}

void MeanFieldLayer::second(const LayerBatch& batch, std::span<const double> marginals,
                            std::span<const double> elbo_slope, std::span<const double> v,
                            std::span<const double> w, const LayerDerivatives& derivatives,
                            const Budget& budget) const {
  require_sizes(batch, &derivatives);
  require(
      options_.gradient == LayerGradient::kImplicit,
      "mean field layer: second derivatives are those of the ELBO at a fixed point; the gradient "
      "must be implicit");
  require(marginals.size() == batch.count * items() && elbo_slope.size() == batch.count &&
              v.size() == batch.parameters.size() && w.size() == batch.count &&
              derivatives.elbo_slope.size() == batch.count,
          "mean field layer: the marginals and slopes must be those of ", batch.count, " elements");
  prepare(derivatives);
  with_family(structure_, [&](const auto& structure) {
    for_each_element(batch.count, budget, derivatives.reason, [&](std::size_t e) {
      detail::second_one(structure, batch, e, marginals, elbo_slope[e],
                         detail::row_of(v, e, parameter_count_), w[e], derivatives);
    });
  });
}

}  // namespace surefield
