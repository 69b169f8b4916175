// The door through which `infer` leaves for several processes: empty in the plain program, set by surefield-mpi.
#pragma once

#include <string>

#include "surefield/api/infer.hpp"
#include "surefield/core/result.hpp"

namespace surefield::cli {

class SlicedInference {
 public:
  virtual ~SlicedInference() = default;
  /// Of a binary model, by all processes together.
  virtual Result infer(const std::string& model, const InferOptions& options,
                       const std::string& start_file, const std::string& marginals_file) = 0;
  /// How the variables are shared: --partition.
  std::string partition = "blocks";
  bool partition_given = false;
  std::string checkpoint;  ///< a folder: --checkpoint
  double every = 600;      ///< seconds: --every
  bool resume = false;     ///< --resume
};

/// nullptr in the plain program.
SlicedInference*& sliced_inference();

}  // namespace surefield::cli
