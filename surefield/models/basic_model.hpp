// The families of set functions that stand on their own: one row of this list per family.
//
// Code that runs a model takes it as a template argument; code that only carries one about (files,
// sums, the front door) takes this variant and visits it once.
#pragma once

#include <variant>

#include "surefield/models/black_box/black_box.hpp"
#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/facility_location/facility_location.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/log_det/log_det.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

using BasicModel = std::variant<Flid, FacilityLocation, Coverage, PairwiseField, GraphCut,
                                HypergraphCut, GibbsField, ConcaveOverModular, LogDet, BlackBox>;

}  // namespace surefield
