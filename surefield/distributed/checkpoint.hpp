// What a run over ranks leaves on the disk every so often, so that it can go on after a failure, on any number of ranks, to the
// bits it would have ended with.
//
// A run is a sequence of ascents with cheap deterministic work between (passes, contraction). Each ascent has a folder: its
// point, who is awake, what comes next; of a finished one the point and its value. A run that is resumed is run again
// from its beginning, but ascents that are in the folder are not made: they return what they returned, and the one that was
// under way goes on where it was. All arrays are in the order of the model, so nothing depends on the ranks there were.
// A folder appears whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/distributed/field_slice.hpp"

namespace surefield {

struct CheckpointOptions {
  std::string folder = {};  ///< empty: none
  double every = 600;       ///< seconds
  bool resume = false;      ///< go on from what is in the folder
};

/// An ascent as it was left.
struct SavedAscent {
  bool done = false;
  Status status = Status::kEpochLimit;
  double epochs = 0;
  double value = 0;  ///< of one that is done
  AscentPhase phase = AscentPhase::kSweep;
  std::vector<double> point;        ///< own variables and copies
  std::vector<std::uint8_t> awake;  ///< own variables; empty where nobody sleeps
};

class Checkpoint {
 public:
  /// Collective. `run` says in words what is run, on which model: a folder of another run is refused. Throws Error if there is
  /// nothing to resume, or something is there and was not to be resumed. All must outlive this.
  Checkpoint(CheckpointOptions options, std::string run, Index variables, const FieldSlice& slice,
             const Communicator& ranks);

  /// The ascent of that number, if it is there. Collective. Throws Error where it is damaged.
  std::optional<SavedAscent> find(std::size_t number) const;

  /// Whether it is time. Collective.
  bool due() const;
  /// Collective. A disk that is full, or gone, does not end the run: why it failed is kept.
  void save(std::size_t number, const SavedAscent& ascent);

  const std::string& failure() const { return failure_; }

 private:
  std::string place(std::size_t number) const;

  CheckpointOptions options_;
  std::string run_;
  Index variables_;
  const FieldSlice& slice_;
  const Communicator& ranks_;
  Stopwatch since_;
  double next_;
  std::string failure_;
};

}  // namespace surefield
