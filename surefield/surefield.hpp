// The stable headers in one: models, problems, and the front doors. What is not reached from here may
// change from one version to the next.
#pragma once

#include "surefield/api/agree.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/api/recommend.hpp"
#include "surefield/api/sample.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/models/any_model.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/families.hpp"
#include "surefield/models/terms.hpp"
