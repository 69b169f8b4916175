// The certified best ELBO of a pairwise field of any signs where the gap asked for is some nats: branch and bound over faces of the cube
// (face_rounds.hpp) with spectral bounds and triangles (clique_search.hpp), each face from where its parent ended. The item split is the one that
// owes most, d_i times its variance. Of a field that is its own mirror (mirror.hpp) one item is out and log 2 is added. Candidates are draws
// of the moments, polished. Cost of a face: some 100 evaluations of the barrier; a kilobyte an item while it waits. docs/spectral.md
#pragma once

#include <vector>

#include "surefield/bounds/elbo/box_rounds.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// `point`: in the box, where to start from. Items are split whose interval is [0, 1]; the others stay as they are. Throws Error unless the box lies
/// in [0, 1]^n, and TooMuch where one face does not fit the budget.
BoxRoundsReport spectral_faces(const PairwiseField& field, const Box& box,
                               std::vector<double> point, const BoxRoundsOptions& options = {});

}  // namespace surefield
