#include "surefield/learn/selection.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr double kStandardErrors = 2;

void check(std::span<const Interval> values, std::span<const FoldPair> places) {
  require(!values.empty(), "selection: there is no value to compare");
  require(values.size() == places.size(), "selection: ", values.size(), " values for ",
          places.size(), " places; there must be one each");
  for (const auto& [low, high] : values)
    require(std::isfinite(low) && std::isfinite(high) && low <= high, "selection: a value between ",
            low, " and ", high, "; it must be finite, and the lower end not above the upper");
}

double middle(const Interval& value) { return value.low + (value.high - value.low) / 2; }

/// The standard error of the mean of one number a place, if there are folds enough to leave one
/// out.
std::optional<double> jackknife(std::span<const double> values, std::span<const FoldPair> places) {
  Index folds = 0;
  for (const auto& [a, b] : places) folds = std::max({folds, a + 1, b + 1});
  double total = 0;
  std::vector<double> sum(folds, 0.0);
  std::vector<Index> count(folds, 0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto [a, b] = places[k];
    total += values[k];
    sum[a] += values[k];
    ++count[a];
    if (b == a) continue;
    sum[b] += values[k];
    ++count[b];
  }
  std::vector<double> without;
  for (Index k = 0; k < folds; ++k)
    if (count[k] > 0 && count[k] < values.size())
      without.push_back((total - sum[k]) / static_cast<double>(values.size() - count[k]));
  if (without.size() < 2) return std::nullopt;
  const auto groups = static_cast<double>(without.size());
  double mean = 0, squares = 0;
  for (const double value : without) mean += value / groups;
  for (const double value : without) squares += (value - mean) * (value - mean);
  return std::sqrt((groups - 1) / groups * squares);
}

}  // namespace

Summary summarise(std::span<const Interval> values, std::span<const FoldPair> places) {
  check(values, places);
  Summary summary;
  std::vector<double> middles;
  const auto count = static_cast<double>(values.size());
  for (const auto& value : values) {
    summary.mean.low += value.low / count;
    summary.mean.high += value.high / count;
    middles.push_back(middle(value));
  }
  summary.standard_error = jackknife(middles, places);
  return summary;
}

Choice choose(std::span<const std::vector<Interval>> candidates, std::span<const FoldPair> places) {
  require(!candidates.empty(), "selection: there is no candidate");
  std::vector<double> mean;
  for (const auto& values : candidates) mean.push_back(middle(summarise(values, places).mean));
  Choice choice;
  choice.best = static_cast<Index>(std::max_element(mean.begin(), mean.end()) - mean.begin());
  const auto& best = candidates[choice.best];
  for (Index c = 0; c < candidates.size(); ++c) {
    if (c == choice.best) continue;
    std::vector<double> difference;
    double lead = 0, slack = 0;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto& rival = candidates[c][k];
      difference.push_back(middle(best[k]) - middle(rival));
      lead += difference.back();
      slack += (best[k].high - best[k].low) / 2 + (rival.high - rival.low) / 2;
    }
    const auto count = static_cast<double>(places.size());
    const auto error = jackknife(difference, places);
    if (!error || (lead - slack) / count <= kStandardErrors * *error) choice.rivals.push_back(c);
  }
  return choice;
}

std::vector<FoldPair> fold_places(Index folds) {
  std::vector<FoldPair> places;
  for (Index k = 0; k < folds; ++k) places.emplace_back(k, k);
  return places;
}

std::vector<FoldPair> pair_places(Index folds) {
  std::vector<FoldPair> places;
  for (Index a = 0; a < folds; ++a)
    for (Index b = a + 1; b < folds; ++b) places.emplace_back(a, b);
  return places;
}

}  // namespace surefield
