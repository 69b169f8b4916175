#include "surefield/learn/facility_derivatives.hpp"

#include <algorithm>

namespace surefield {

FacilityDerivatives::FacilityDerivatives(const Flid& model)
    : items_(model.size()),
      dimensions_(model.dimensions),
      parameters_(model.size() + model.weights.size()),
      flid_(true) {
  links_.reserve(model.weights.size());
  const AffineForest& forest = model.facility.forest;
  for (Index d = 0; d < forest.lists(); ++d) {
    const auto put = [&](std::uint32_t i) {
      links_.push_back({i, model.weight(i, d), items_ + i * dimensions_ + d});
    };
    const auto ranked = forest.of_list(d);  // all, or all but those of weight 0, the least
    if (ranked.size() < items_)
      for (std::uint32_t i = 0; i < items_; ++i)
        if (model.weight(i, d) == 0) put(i);
    for (const Entry& entry : ranked) put(entry.index);
    start_.push_back(links_.size());
  }
  find_places();
}

FacilityDerivatives::FacilityDerivatives(const FacilityLocation& model)
    : items_(model.size()),
      dimensions_(0),
      parameters_(model.size() + model.benefit.entries()),
      flid_(false) {
  std::size_t next = items_;
  for (Index d = 0; d < model.benefit.groups(); ++d) {
    bool negative = false;
    std::vector<std::uint8_t> listed(items_, 0);
    for (const auto& [item, weight] : model.benefit.of_group(d)) {
      links_.push_back({item, weight, next++});
      listed[item] = 1;
      negative |= weight < 0;
    }
    for (std::uint32_t i = 0; negative && i < items_; ++i)  // 0 is better than less
      if (!listed[i]) links_.push_back({i, 0, kNone});
    std::sort(links_.begin() + static_cast<std::ptrdiff_t>(start_.back()), links_.end(),
              [](const Link& a, const Link& b) {
                return a.weight < b.weight || (a.weight == b.weight && a.item < b.item);
              });
    start_.push_back(links_.size());
  }
  find_places();
}

void FacilityDerivatives::find_places() {
  first_place_.assign(items_ + 1, 0);
  for (const Link& link : links_) ++first_place_[link.item + 1];
  for (Index i = 0; i < items_; ++i) first_place_[i + 1] += first_place_[i];
  places_.resize(links_.size());
  std::vector<std::size_t> next(first_place_.begin(), first_place_.end() - 1);
  for (std::uint32_t d = 0; d < chains(); ++d)
    for (std::uint32_t l = 0; l < chain(d).size(); ++l) places_[next[chain(d)[l].item]++] = {d, l};
}

std::vector<double> FacilityDerivatives::in_parameters(std::span<const double> x) const {
  std::vector<double> result(parameters_, 0.0);
  for (Index i = 0; i < items_; ++i) result[i] = flid_ ? x[i] : -x[i];
  for (std::size_t d = 0; d < chains(); ++d) {
    const Chain links = chain(d);
    double above = 1;
    for (std::size_t l = links.size(); l-- > 0;) {
      const auto& [item, weight, parameter] = links[l];
      if (parameter != kNone) result[parameter] = x[item] * (flid_ ? above - 1 : above);
      above *= 1 - x[item];
    }
  }
  return result;
}

std::vector<double> FacilityDerivatives::in_parameters_along(std::span<const double> x,
                                                             std::span<const double> v) const {
  std::vector<double> result(parameters_, 0.0);
  for (Index i = 0; i < items_; ++i) result[i] = flid_ ? v[i] : -v[i];
  for (std::size_t d = 0; d < chains(); ++d) {
    const Chain links = chain(d);
    double above = 1, fall = 0;  // P and S
    for (std::size_t l = links.size(); l-- > 0;) {
      const auto& [item, weight, parameter] = links[l];
      const double in = x[item], along = v[item];
      if (parameter != kNone) result[parameter] = along * (flid_ ? above - 1 : above) - in * fall;
      fall = (1 - in) * fall + along * above;
      above *= 1 - in;
    }
  }
  return result;
}

std::vector<double> FacilityDerivatives::gradient_along(std::span<const double> x,
                                                        std::span<const double> tau) const {
  std::vector<double> result(items_);
  for (Index i = 0; i < items_; ++i) {
    result[i] = flid_ ? tau[i] : -tau[i];
    for (Index d = 0; d < dimensions_; ++d) result[i] -= tau[items_ + i * dimensions_ + d];
  }
  std::vector<double> excess;  // tau_l - e_l, e the expected tau of the best below
  for (std::size_t d = 0; d < chains(); ++d) {
    const Chain links = chain(d);
    excess.resize(links.size());
    double best = 0;
    for (std::size_t l = 0; l < links.size(); ++l) {
      const double own = links[l].parameter == kNone ? 0 : tau[links[l].parameter];
      excess[l] = own - best;
      best += x[links[l].item] * excess[l];
    }
    double above = 1;
    for (std::size_t l = links.size(); l-- > 0;) {
      result[links[l].item] += excess[l] * above;
      above *= 1 - x[links[l].item];
    }
  }
  return result;
}

std::vector<double> FacilityDerivatives::hessian_times(std::span<const double> x,
                                                       std::span<const double> v) const {
  struct Below {
    double excess, rise;  // w - e, and T
  };
  std::vector<double> result(items_, 0.0);
  std::vector<Below> below;
  for (std::size_t d = 0; d < chains(); ++d) {
    const Chain links = chain(d);
    below.resize(links.size());
    double best = 0, rise = 0;
    for (std::size_t l = 0; l < links.size(); ++l) {
      const double in = x[links[l].item], excess = links[l].weight - best;
      below[l] = {excess, rise};
      rise = (1 - in) * rise + v[links[l].item] * excess;
      best = (1 - in) * best + in * links[l].weight;
    }
    double above = 1, fall = 0;
    for (std::size_t l = links.size(); l-- > 0;) {
      const double in = x[links[l].item];
      result[links[l].item] -= below[l].rise * above + below[l].excess * fall;
      fall = (1 - in) * fall + v[links[l].item] * above;
      above *= 1 - in;
    }
  }
  return result;
}

void FacilityDerivatives::add_back(std::span<const double> x, Index i, double z,
                                   std::span<double> slope, std::span<double> parameters) const {
  parameters[i] += flid_ ? z : -z;
  std::vector<double> kept;  // P of those above, then w - e of those below
  for (std::size_t p = first_place_[i]; p < first_place_[i + 1]; ++p) {
    const Chain links = chain(places_[p].chain);
    const std::size_t own = places_[p].rank;
    kept.resize(links.size());
    double above = 1;
    for (std::size_t l = links.size(); l-- > own + 1;) {
      kept[l] = above;
      above *= 1 - x[links[l].item];
    }
    double best = 0;
    for (std::size_t l = 0; l < own; ++l) {
      kept[l] = links[l].weight - best;
      best += x[links[l].item] * kept[l];
    }
    double between = -z * (links[own].weight - best);  // times 1 - x of those between
    for (std::size_t l = own + 1; l < links.size(); ++l) {
      slope[links[l].item] += between * kept[l];
      between *= 1 - x[links[l].item];
    }
    if (links[own].parameter != kNone)
      parameters[links[own].parameter] += z * (flid_ ? above - 1 : above);
    between = -z * above;
    for (std::size_t l = own; l-- > 0;) {
      slope[links[l].item] += between * kept[l];
      if (links[l].parameter != kNone) parameters[links[l].parameter] += between * x[links[l].item];
      between *= 1 - x[links[l].item];
    }
  }
}

}  // namespace surefield
