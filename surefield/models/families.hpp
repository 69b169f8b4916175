// Every family of set functions that this library brings.
#pragma once

#include "surefield/models/any_model.hpp"
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
#include "surefield/models/weighted_sum/weighted_sum.hpp"
