// `infer` for a binary model whose variables lie on several ranks: the same options, the same Result, the same bits as
// api/infer.hpp gives with `--order coloured` in one process, for any partition and number of ranks.
//
// Offered: coordinate ascent, every double greedy pass, both with polishing and contraction, and `best` as it is for large
// models, with a proof afterwards (certify_over_ranks.hpp). What moves all variables at once (Frank-Wolfe, continuous double
// greedy) is refused, by name.
#pragma once

#include <string>
#include <vector>

#include "surefield/api/certify.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/distributed/checkpoint.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/io/binary/binary_field.hpp"

namespace surefield {

struct RankOptions {
  std::string partition = "blocks";  ///< blocks, scotch or random (partition.hpp)
  Index block = 0;                   ///< variables a block; 0: as one process takes them
  std::string start_file = {};       ///< a `.npy` point instead of InferOptions::start
  CheckpointOptions checkpoint = {};
  std::string marginals_file =
      {};  ///< a `.npy` to write them to, in slices; none: the first rank gathers them
  Index tiled_items = CertifyOptions{}.tiled_items;  ///< of proofs, as is the next; for tests
  Index tile = CertifyOptions{}.tile;
};

/// What a run cost, over all ranks.
struct RankCost {
  std::uint64_t bytes_sent = 0, messages_sent = 0;
  double seconds_reading = 0;
};

/// Collective: every rank gives the same options and gets the same Result, but the first alone has marginals.
Result infer_over_ranks(const BinaryField& model, const InferOptions& options,
                        const RankOptions& how, const Communicator& ranks,
                        RankCost* cost = nullptr);

}  // namespace surefield
