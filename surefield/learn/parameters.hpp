// The numbers of a model as one vector theta, and the model with other numbers.
//
//   flid               u_i for all items, then W_id row by row
//   facility location  cost_i for all items, then w_id customer by customer, as listed
//   coverage           cost_i for all items, then w_c for all concepts; the chances p_ic are data
//   pairwise field     bias_i for all items, then the couplings in the order of edges(); the
//                      constant cancels in p(S) and is data
//   weighted sum       the factor of every term; what is inside the terms is data
//
// with_parameters(model, parameters(model)) is the model again. Cost: O(model).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {

std::vector<double> parameters(const Flid& model);
std::vector<double> parameters(const FacilityLocation& model);
std::vector<double> parameters(const Coverage& model);
std::vector<double> parameters(const PairwiseField& model);
std::vector<double> parameters(const WeightedSum& model);

/// Throws Error unless theta has as many numbers as parameters(model), and as the model's maker
/// does.
Flid with_parameters(const Flid& model, std::span<const double> theta);
FacilityLocation with_parameters(const FacilityLocation& model, std::span<const double> theta);
Coverage with_parameters(const Coverage& model, std::span<const double> theta);
PairwiseField with_parameters(const PairwiseField& model, std::span<const double> theta);
WeightedSum with_parameters(const WeightedSum& model, std::span<const double> theta);

/// A stretch of theta that belongs together, as an array of that shape, row by row.
struct ParameterBlock {
  std::string_view name;
  std::vector<std::size_t> shape;
  std::size_t size() const;
};

/// What theta is made of, in its order.
std::vector<ParameterBlock> parameter_blocks(const Flid& model);
std::vector<ParameterBlock> parameter_blocks(const FacilityLocation& model);
std::vector<ParameterBlock> parameter_blocks(const Coverage& model);
std::vector<ParameterBlock> parameter_blocks(const PairwiseField& model);
std::vector<ParameterBlock> parameter_blocks(const WeightedSum& model);

}  // namespace surefield
