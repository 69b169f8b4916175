#include "surefield/bounds/elbo/difference_contraction.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr int kContractionSteps = 20;
constexpr double kContractionProgress = 1e-3;

std::vector<double> gradient_of(const AnyState& state) {
  std::vector<double> out(state.size());
  state.gradient(out);
  return out;
}

const AnyModel& taken_part(const SubmodularDifference& parts) {
  require(parts.taken.has_value(), "difference: nothing is taken away");
  return *parts.taken;
}

}  // namespace

DifferenceContraction::DifferenceContraction(const SubmodularDifference& parts,
                                             double inverse_temperature, const Box& domain,
                                             double slope_error)
    : added_(parts.added),
      taken_(taken_part(parts)),
      beta_(inverse_temperature),
      domain_(domain),
      slope_error_(slope_error) {
  // Partials of the domain lie between those of its corners.
  double most = 0;
  for (const AnyModel* part : {&added_, &taken_})
    for (const std::vector<double>* corner : {&domain_.low, &domain_.high})
      for (const double slope : gradient_of(part->at(*corner)))
        most = std::max(most, std::abs(beta_ * slope));
  difference_error_ = 8 * kUnitRoundoff * most;
}

DifferenceContraction::Slopes DifferenceContraction::slopes_of(const Box& box) const {
  const auto added_low = gradient_of(added_.at(box.low)),
             added_high = gradient_of(added_.at(box.high));
  const auto taken_low = gradient_of(taken_.at(box.low)),
             taken_high = gradient_of(taken_.at(box.high));
  const Index n = box.size();
  Slopes slopes{std::vector<double>(n), std::vector<double>(n)};
  for (Index i = 0; i < n; ++i) {
    slopes.least[i] = beta_ * (added_high[i] - taken_low[i]);
    slopes.most[i] = beta_ * (added_low[i] - taken_high[i]);
  }
  return slopes;
}

bool DifferenceContraction::operator()(Box& box, Slopes& slopes, const Budget& budget) const {
  const double slack = contraction_slack(slope_error_ + difference_error_);
  slopes = slopes_of(box);
  if (!(slack < 1)) return true;  // no cut would move anything
  for (int step = 0; step < kContractionSteps && !budget.spent(); ++step) {
    double moved = 0;
    for (Index i = 0; i < box.size(); ++i)
      if (!detail::cut_from_above(i, EntropyLine(slopes.most[i]).argmax(domain_[i]), box, slack,
                                  moved) ||
          !detail::cut_from_below(i, EntropyLine(slopes.least[i]).argmax(domain_[i]), box, slack,
                                  moved))
        return false;
    if (moved <= kContractionProgress) break;
    slopes = slopes_of(box);
  }
  return true;
}

}  // namespace surefield
