// p(S) ~ exp(beta F(S)) as a model of its own: every parameter of F times beta.
//
// For the families whose parameters F is linear in; the model stays in its family. Cost: one pass
// over the parameters.
#pragma once

#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

Flid at_inverse_temperature(const Flid& model, double beta);
Fldc at_inverse_temperature(const Fldc& model, double beta);
GibbsField at_inverse_temperature(GibbsField model, double beta);
PairwiseField at_inverse_temperature(PairwiseField model, double beta);

}  // namespace surefield
