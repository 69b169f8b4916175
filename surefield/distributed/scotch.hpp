// The graph of blocks cut into parts of about equal size with few edges between them, by Scotch.
//
// F. Pellegrini. Scotch and PT-Scotch Graph Partitioning Software: An Overview. Combinatorial Scientific Computing, 2012.
#pragma once

#include <cstdint>
#include <vector>

namespace surefield {

struct BlockGraph64;

/// The part of every block; the same for the same seed. Throws Error where the program was built without Scotch.
std::vector<std::uint32_t> scotch_parts(const BlockGraph64& graph, std::uint32_t parts,
                                        std::uint64_t seed);

}  // namespace surefield
