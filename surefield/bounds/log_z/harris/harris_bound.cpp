#include "surefield/bounds/log_z/harris/harris_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace surefield {

BestItemClass whole_class(const BestItemTable& table) {
  BestItemClass all;
  all.rest.resize(table.items);
  std::iota(all.rest.begin(), all.rest.end(), 0U);
  all.best.assign(table.groups, 1);
  all.odds.resize(table.items);
  all.place.resize(table.items);
  for (const auto& ranking : table.ranking) {
    all.start.push_back(static_cast<std::uint32_t>(all.list.size()));
    all.list.insert(all.list.end(), ranking.begin(), ranking.end());
  }
  all.start.push_back(static_cast<std::uint32_t>(all.list.size()));
  return all;
}

void make_part(const BestItemTable& table, const BestItemClass& of, Index from,
               const std::uint32_t* with, BestItemClass& part) {
  const auto first = static_cast<std::int32_t>(from);
  part.odds.resize(table.items);
  part.place.resize(table.items);
  part.best.resize(table.groups);
  part.start.resize(table.groups + 1);
  part.list.resize(of.list.size());
  part.rest.assign(of.rest.begin() + first, of.rest.end());
  std::uint32_t count = 0;
  for (Index d = 0; d < table.groups; ++d) {
    const double* const worth = table.of_group(d);
    const double best = with ? std::max(of.best[d], worth[*with]) : of.best[d];
    part.best[d] = best;
    part.start[d] = count;
    for (std::uint32_t at = of.start[d]; at < of.start[d + 1]; ++at) {
      const std::uint32_t k = of.list[at];
      part.list[count] = k;
      count += of.place[k] >= first && worth[k] > best;
    }
  }
  part.start[table.groups] = count;
  part.list.resize(count);
}

void restore(const BestItemTable& table, const std::vector<std::uint32_t>& rest,
             const std::vector<double>& best, BestItemClass& sets) {
  sets.rest = rest;
  sets.best = best;
  sets.place.assign(table.items, -1);
  for (std::uint32_t i = 0; i < sets.rest.size(); ++i)
    sets.place[sets.rest[i]] = static_cast<std::int32_t>(i);
  sets.list.clear();
  sets.start.clear();
  for (Index d = 0; d < table.groups; ++d) {
    const double* const worth = table.of_group(d);
    sets.start.push_back(static_cast<std::uint32_t>(sets.list.size()));
    for (const std::uint32_t k : table.ranking[d])
      if (sets.place[k] >= 0 && worth[k] > sets.best[d]) sets.list.push_back(k);
  }
  sets.start.push_back(static_cast<std::uint32_t>(sets.list.size()));
}

HarrisBound::HarrisBound(const BestItemTable& table)
    : table_(&table),
      shares_(table.items),
      in_(table.items),
      out_(table.items),
      sum_(table.items),
      share_(table.items),
      some_above_(table.items),
      none_above_(table.items) {}

double HarrisBound::roundings(const BestItemTable& table) {
  // a_k: three a group. p and 1 - p: three more. A step over an item in a group: those of p, and ten. A group
  // takes a step an item; a product over groups adds them up, a product of two c_kd twice; a path down
  // the search multiplies by a_k or 1 + a_k once an item.
  const auto n = static_cast<double>(table.items + 1);
  const auto groups = static_cast<double>(table.groups + 1);
  return (2 * groups + 4) * n * (3 * groups + 32) + 64;
}

HarrisBound::Ends HarrisBound::bound(BestItemClass& sets) {
  for (const std::uint32_t k : sets.rest) {
    sets.odds[k] = table_->alone[k];
    shares_[k] = 0;
  }
  for (Index d = 0; d < table_->groups; ++d) {
    const double* const worth = table_->of_group(d);
    const double per_best = 1 / sets.best[d];
    const std::uint32_t begin = sets.start[d], end = sets.start[d + 1];
    const std::uint8_t shared = end - begin > 1 ? 1 : 0;
    for (std::uint32_t at = begin; at < end; ++at) {
      const std::uint32_t k = sets.list[at];
      sets.odds[k] *= worth[k] * per_best;
      shares_[k] |= shared;
    }
  }
  entries_ += static_cast<double>(sets.list.size() + sets.rest.size());
  Ends ends{1, 1, 1, 1};
  Index left = 0;
  for (const std::uint32_t k : sets.rest) {
    const double either = 1 + sets.odds[k];
    if (!shares_[k]) {
      ends.settled *= either;
      sets.place[k] = -1;
      continue;
    }
    ends.product *= either;
    out_[k] = 1 / either;
    in_[k] = sets.odds[k] * out_[k];
    sum_[k] = share_[k] = 0;
    sets.rest[left++] = k;
  }
  sets.rest.resize(left);
  for (Index d = 0; d < table_->groups; ++d)
    if (sets.start[d + 1] - sets.start[d] > 1) add_group(sets, d, ends);
  double covariances = 0;
  for (const std::uint32_t k : sets.rest) {
    share_[k] *= in_[k] * out_[k];
    covariances += share_[k];
  }
  ends.high = std::min(ends.high, ends.low + covariances);
  return ends;
}

// low gets the product of E g_d, high their minimum.
void HarrisBound::add_group(const BestItemClass& sets, Index d, Ends& ends) {
  const double* const worth = table_->of_group(d);
  const double best = sets.best[d];
  const std::span<const std::uint32_t> list(sets.list.data() + sets.start[d],
                                            sets.start[d + 1] - sets.start[d]);
  double some = 0, none = 1;  // the chances that T has one of the items above, or none
  for (Index i = list.size(); i-- > 0;) {
    const std::uint32_t k = list[i];
    some_above_[i] = some;
    none_above_[i] = none;
    some = in_[k] + out_[k] * some;
    none *= out_[k];
  }
  double mean = 1;      // E g_d of the items so far
  double all_lost = 1;  // E e^{-sum r}: what is left of them once there is one above
  double square = 0;    // E max y^2
  for (Index i = 0; i < list.size(); ++i) {
    const std::uint32_t k = list[i];
    const double in = in_[k], out = out_[k];
    const double per_worth = 1 / worth[k];
    const double y = (worth[k] - best) * per_worth;
    const double change = std::sqrt(y * y * some_above_[i] + none_above_[i] * square);
    share_[k] += change * sum_[k];
    sum_[k] += change;
    square = out * square + in * (y * y);
    mean = out * mean + in * all_lost;
    all_lost *= out + in * (best * per_worth);
  }
  ends.low *= mean;
  ends.high = std::min(ends.high, mean);
  entries_ += static_cast<double>(list.size());
}

}  // namespace surefield
