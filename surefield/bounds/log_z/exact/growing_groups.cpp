#include "surefield/bounds/log_z/exact/growing_groups.hpp"

#include <Eigen/Cholesky>

#include "surefield/bounds/log_z/exact/item_places.hpp"

namespace surefield {
namespace {

/// The groups with free members, ascending by the lowest of them, and the members' table turned
/// round.
struct OpenGroups {
  std::vector<Index> group;                 // of the model
  std::vector<std::vector<Entry>> of_item;  // (place in `group`, value)
  std::vector<Index> open;                  // groups with a member below k
};

OpenGroups open_groups(const Incidence& members, const FreeItems& which) {
  const Index n = which.free.size();
  const auto place = places_of(which);
  std::vector<Index> lowest(members.groups(), kNotFree);
  for (Index g = 0; g < members.groups(); ++g)
    for (const Entry& entry : members.of_group(g))
      if (entry.value != 0) lowest[g] = std::min(lowest[g], place[entry.index]);
  OpenGroups result;
  for (Index g = 0; g < members.groups(); ++g)
    if (lowest[g] != kNotFree) result.group.push_back(g);
  std::ranges::stable_sort(result.group, {}, [&](Index g) { return lowest[g]; });
  result.of_item.resize(n);
  result.open.assign(n, 0);
  for (std::uint32_t at = 0; at < result.group.size(); ++at) {
    for (const Entry& entry : members.of_group(result.group[at]))
      if (place[entry.index] != kNotFree && entry.value != 0)
        result.of_item[place[entry.index]].push_back({at, entry.value});
    for (Index k = lowest[result.group[at]] + 1; k < n; ++k) result.open[k] = at + 1;
  }
  return result;
}

}  // namespace

GrowingFacilities::GrowingFacilities(const FacilityLocation& model, const FreeItems& which)
    : model_(std::make_shared<const DenseFacility>(dense_facility(model, which, 1))),
      best_(model_->customers, 0),
      first_(!model_->floor_is_zero) {}

GrowingCoverage::GrowingCoverage(const Coverage& model, const FreeItems& which) {
  OpenGroups groups = open_groups(model.members, which);
  for (const Index c : groups.group) {
    double left = model.concept_weight[c];
    for (const Entry& entry : model.members.of_group(c))
      if (which.value[entry.index] == 1) left *= 1 - entry.value;
    left_.push_back(left);
  }
  std::vector<double> cost;
  for (const Index i : which.free) cost.push_back(model.cost[i]);
  tables_ = std::make_shared<const Tables>(
      Tables{std::move(cost), std::move(groups.of_item), std::move(groups.open)});
}

GrowingConcave::GrowingConcave(const ConcaveOverModular& model, const FreeItems& which) {
  OpenGroups groups = open_groups(model.members, which);
  Tables tables;
  for (const Index i : which.free) tables.modular.push_back(model.modular[i]);
  for (const Index g : groups.group) {
    double sum = 0;
    for (const Entry& entry : model.members.of_group(g))
      if (which.value[entry.index] == 1) sum += entry.value;
    tables.groups.push_back(model.groups[g]);
    groups_.push_back({sum, model.groups[g].weight * model.groups[g].shape(sum)});
  }
  tables.of_item = std::move(groups.of_item);
  tables.open = std::move(groups.open);
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

GrowingDeterminant::GrowingDeterminant(const LogDet& model, const FreeItems& which)
    : size_(which.free.size()), kernel_(size_ * size_, 0) {
  // Rows of the factor of those that are in, as LogDet::Set keeps them.
  std::vector<Eigen::Index> in(which.in.begin(), which.in.end());
  std::vector<Eigen::Index> free(which.free.begin(), which.free.end());
  Eigen::MatrixXd kernel = model.kernel(free, free);
  if (!in.empty() && !free.empty()) {
    const Eigen::LLT<Eigen::MatrixXd> factor(model.kernel(in, in));
    const Eigen::MatrixXd explained = factor.matrixL().solve(model.kernel(in, free));
    kernel.noalias() -= explained.transpose() * explained;
  }
  auto floor = std::make_shared<std::vector<double>>();
  for (Index k = 0; k < size_; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    for (Index j = 0; j <= k; ++j)
      kernel_[k * size_ + j] = kernel(row, static_cast<Eigen::Index>(j));
    floor->push_back(0x1p-52 * model.kernel(free[k], free[k]));
  }
  floor_ = std::move(floor);
}

}  // namespace surefield
