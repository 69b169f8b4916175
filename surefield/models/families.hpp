// Every family of set functions that this library brings.
#pragma once

#include "surefield/models/any_model.hpp"
#include "surefield/models/black_box/black_box.hpp"
#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/facility_location/facility_location.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/log_det/log_det.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {

// Compiled once, in families.cpp.
extern template AnyModel::AnyModel(BlackBox);
extern template AnyModel::AnyModel(ConcaveOverModular);
extern template AnyModel::AnyModel(Coverage);
extern template AnyModel::AnyModel(FacilityLocation);
extern template AnyModel::AnyModel(Fldc);
extern template AnyModel::AnyModel(Flid);
extern template AnyModel::AnyModel(GibbsField);
extern template AnyModel::AnyModel(GraphCut);
extern template AnyModel::AnyModel(HypergraphCut);
extern template AnyModel::AnyModel(LogDet);
extern template AnyModel::AnyModel(PairwiseField);
extern template AnyModel::AnyModel(WeightedSum);

}  // namespace surefield
