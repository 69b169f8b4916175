#include "surefield/distributed/scotch.hpp"

#include "surefield/core/error.hpp"
#include "surefield/distributed/partition.hpp"

#ifdef SUREFIELD_SCOTCH
#include <stdio.h>
// scotch.h takes FILE for granted
#include <scotch.h>
#endif

namespace surefield {

#ifdef SUREFIELD_SCOTCH

std::vector<std::uint32_t> scotch_parts(const BlockGraph64& graph, std::uint32_t parts,
                                        std::uint64_t seed) {
  static_assert(sizeof(SCOTCH_Num) == 8, "the 64-bit build of Scotch is the one to use");
  const auto blocks = static_cast<SCOTCH_Num>(graph.start.size() - 1);
  if (blocks == 0) return {};
  const std::vector<SCOTCH_Num> start(graph.start.begin(), graph.start.end());
  const std::vector<SCOTCH_Num> list(graph.list.begin(), graph.list.end());
  const std::vector<SCOTCH_Num> weight(graph.edges.begin(), graph.edges.end());
  std::vector<SCOTCH_Num> part(static_cast<std::size_t>(blocks));
  SCOTCH_Graph scotch;
  SCOTCH_Strat strategy;
  SCOTCH_randomSeed(static_cast<SCOTCH_Num>(seed));
  SCOTCH_randomReset();
  bool done = SCOTCH_graphInit(&scotch) == 0 && SCOTCH_stratInit(&strategy) == 0;
  done = done &&
         SCOTCH_graphBuild(&scotch, 0, blocks, start.data(), start.data() + 1, nullptr, nullptr,
                           static_cast<SCOTCH_Num>(list.size()), list.data(), weight.data()) == 0;
  done = done &&
         SCOTCH_graphPart(&scotch, static_cast<SCOTCH_Num>(parts), &strategy, part.data()) == 0;
  SCOTCH_stratExit(&strategy);
  SCOTCH_graphExit(&scotch);
  require(done, "partition: Scotch could not partition the graph of ", blocks, " blocks");
  return {part.begin(), part.end()};
}

#else

std::vector<std::uint32_t> scotch_parts(const BlockGraph64&, std::uint32_t, std::uint64_t) {
  fail("partition: this program was built without Scotch; there are blocks, random");
}

#endif

}  // namespace surefield
