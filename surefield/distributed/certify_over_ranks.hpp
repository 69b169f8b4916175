// A certificate for a point whose variables lie on several ranks: that of api/certify.hpp in one process, bit for bit unless the clock ends it.
//
// Every rank holds the whole model. What is shared is the work: minimum cuts, one a tile and round
// (bounds/elbo/tiled_cut_bound.hpp), the tiles handed out as tasks. All else is done by one rank while the others wait: contraction, the ascents between
// rounds, and where the model is too small for tiles or not balanced the whole proof. Which round is the last is said by one rank for all.
// Memory: on each rank that of one process, about 530 bytes a variable of a grid. Messages a round: 8 bytes a variable and copy to each rank.
#pragma once

#include <optional>
#include <span>

#include "surefield/api/certify.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/distributed/field_slice.hpp"
#include "surefield/io/binary/binary_field.hpp"

namespace surefield {

/// Collective. `x` has a value for each own variable; so does the point of the certificate, and for each copy. `options.crew` is
/// that of the ranks, whatever it was. Throws Error on all ranks if the model cannot be read.
std::optional<Certificate> certify_over_ranks(const BinaryField& model, const FieldSlice& slice,
                                              std::span<const double> x, double value,
                                              CertifyOptions options, const Communicator& ranks);

}  // namespace surefield
