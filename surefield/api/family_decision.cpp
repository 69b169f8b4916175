#include "surefield/api/family_decision.hpp"

#include <algorithm>
#include <cmath>

namespace surefield {
namespace {

constexpr double kToldApart = 2;      // standard errors
constexpr double kWorthMore = 1e-3;   // nats a set: less is no reason to leave what is plainer
constexpr double kNearlyAsGood = .9;  // of the leader's gain over popularity
constexpr double kGoodEnough =
    .8;  // the same, of a leader that may be worse than items by themselves

/// Whether more is proved of the likelihood of a than of b, beyond chance.
bool is_more_likely(const JudgedFamily& a, const JudgedFamily& b) {
  if (!std::isfinite(a.half)) return false;
  if (!std::isfinite(b.half)) return true;
  std::vector<double> gains(a.over);
  for (Index k = 0; k < gains.size(); ++k) gains[k] -= b.over[k];
  const MeanEstimate gain = surefield::mean_of(gains);
  return gain.mean - a.half + b.half > std::max(kToldApart * gain.standard_error, kWorthMore);
}

/// Whether it gains nearly as much over popularity at hidden items: of a leader of which no likelihood is proved that items by
/// themselves do not have, less will do.
bool is_nearly_as_good(const FamilyRow& row, const FamilyRow& leader) {
  if (!row.hidden.over_popularity || !leader.hidden.over_popularity) return false;
  const double most = leader.hidden.over_popularity->reciprocal_rank.mean;
  const double share = leader.over_items.low >= 0 ? kNearlyAsGood : kGoodEnough;
  return most > 0 && row.hidden.over_popularity->reciprocal_rank.mean >= share * most;
}

}  // namespace

bool is_worse_than_items(const FamilyRow& row) {
  return row.over_items.high < -kToldApart * row.over_items_error;
}

FamilyDecision decide_family(std::span<JudgedFamily> families) {
  std::vector<const JudgedFamily*> rivals;
  for (const JudgedFamily& family : families)
    if (!is_worse_than_items(family.row)) rivals.push_back(&family);
  if (rivals.empty())
    for (const JudgedFamily& family : families) rivals.push_back(&family);
  const JudgedFamily& leader = **std::ranges::max_element(
      rivals, {},
      [](const JudgedFamily* family) { return family->row.hidden.by_gain.reciprocal_rank.mean; });
  for (JudgedFamily& family : families)
    family.row.behind =
        difference(leader.row.hidden.by_gain, family.row.hidden.by_gain).reciprocal_rank;
  std::erase_if(rivals, [&](const JudgedFamily* family) {
    const MeanEstimate& behind = family->row.behind;
    if (family == &leader || !(behind.mean > kToldApart * behind.standard_error)) return false;
    return !is_nearly_as_good(family->row, leader.row) || !is_more_likely(*family, leader);
  });
  for (const JudgedFamily* family : rivals)
    if (std::ranges::none_of(rivals, [&](const JudgedFamily* other) {
          return other != family && is_more_likely(*other, *family);
        }))
      return {leader.row.model, family->row.model};
  return {leader.row.model, leader.row.model};
}

}  // namespace surefield
