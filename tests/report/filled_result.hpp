// A result in which no two numbers are the same, so that a report which swaps two is noticed.
#pragma once

#include "surefield/core/result.hpp"

namespace surefield::testing {

inline Result filled_result() {
  Result result;
  result.command = "infer";
  result.model_kind = "flid";
  result.items = {"crib", "swing", "a,b"};
  result.objective = "elbo";
  result.algorithm = "bscb";
  result.status = Status::kEpochLimit;
  result.elbo = 3.03;
  result.elbo_lower = 3.0299;
  result.upper_bound = 5.05;
  result.upper_bound_method = "boxes";
  result.log_z_method = "both ways";
  result.log_z_lower = 2.02;
  result.log_z_upper = 7.0700005;
  result.size = 3;
  result.marginals = {0.25, 0.5, 0.75};
  result.trace = {{0.5, 1.1, 0.01, 1.2}, {2, 1.3, 0.02}};
  result.guarantee = "half";
  result.notes = {"one", "two"};
  result.seed = 17;
  result.threads = 4;
  result.seconds = 0.125;
  result.inverse_temperature = 1.5;
  return result;
}

}  // namespace surefield::testing
