#include "surefield/models/at_inverse_temperature.hpp"

#include <utility>
#include <vector>

namespace surefield {
namespace {

void multiply(std::vector<double>& values, double beta) {
  for (double& value : values) value *= beta;
}

}  // namespace

Flid at_inverse_temperature(const Flid& model, double beta) {
  std::vector<double> utility = model.utility, weights = model.weights;
  multiply(utility, beta);
  multiply(weights, beta);
  return make_flid(std::move(utility), std::move(weights), model.dimensions);
}

Fldc at_inverse_temperature(const Fldc& model, double beta) {
  std::vector<double> utility = model.utility, weights = model.weights;
  std::vector<double> coherence = model.coherence;
  multiply(utility, beta);
  multiply(weights, beta);
  multiply(coherence, beta);
  return make_fldc(std::move(utility), std::move(weights), model.dimensions, std::move(coherence),
                   model.concepts);
}

GibbsField at_inverse_temperature(GibbsField model, double beta) {
  model.constant *= beta;
  multiply(model.bias, beta);
  multiply(model.coefficient, beta);
  model.inherited_error *= beta;
  return model;
}

PairwiseField at_inverse_temperature(PairwiseField model, double beta) {
  model.constant *= beta;
  multiply(model.bias, beta);
  multiply(model.coupling, beta);
  model.inherited_error *= beta;
  return model;
}

}  // namespace surefield
