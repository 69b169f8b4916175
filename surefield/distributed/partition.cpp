#include "surefield/distributed/partition.hpp"

#include <algorithm>
#include <numeric>

#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/distributed/scotch.hpp"

namespace surefield {
namespace {

constexpr std::size_t kMostTouching = 50'000'000;  // pairs of blocks; every rank holds them all

/// The blocks that a rank looks at while nobody owns any: as many to each, consecutive.
std::pair<Index, Index> share_of(Index blocks, int rank, int ranks) {
  const auto r = static_cast<Index>(rank);
  const auto count = static_cast<Index>(ranks);
  return {blocks * r / count, blocks * (r + 1) / count};
}

/// Which blocks touch those of [first, last), checked on the way: a block and the number of edges to it, beside how many a
/// block has.
struct Touching {
  std::vector<std::uint64_t> counts, pairs;  // pairs: block, edges, block, edges, ...
};

Touching touching(const BinaryField& model, Index block, Index first, Index last) {
  Touching found;
  std::vector<std::uint64_t> met;
  for (Index b = first; b < last; ++b) {
    if ((b - first) % kReadAtOnce == 0) {
      model.forget_pages();
      model.check(b * block, std::min<std::uint64_t>(std::min(b + kReadAtOnce, last) * block,
                                                     model.variables()));
    }
    met.clear();
    const std::uint64_t end = std::min<std::uint64_t>((b + 1) * block, model.variables());
    for (std::uint64_t e = model.start(b * block); e < model.start(end); ++e)
      if (const std::uint64_t other = model.neighbour(e) / block; other != b) met.push_back(other);
    std::ranges::sort(met);
    std::uint64_t count = 0;
    for (std::size_t k = 0; k < met.size(); ++count) {
      const auto next = static_cast<std::size_t>(
          std::upper_bound(met.begin() + static_cast<std::ptrdiff_t>(k), met.end(), met[k]) -
          met.begin());
      found.pairs.insert(found.pairs.end(), {met[k], next - k});
      k = next;
    }
    found.counts.push_back(count);
    require(found.pairs.size() / 2 <= kMostTouching,
            "partition: the blocks of this model touch more than ", kMostTouching,
            " others, so there is no order in which ranks could share the work; number its "
            "variables so that neighbours "
            "are near each other");
  }
  return found;
}

BlockGraph64 block_graph(const BinaryField& model, Index block, Index blocks,
                         const Communicator& ranks) {
  const auto [first, last] = share_of(blocks, ranks.rank(), ranks.size());
  Touching own;
  ranks.together([&, first = first, last = last] { own = touching(model, block, first, last); });
  BlockGraph64 graph;
  for (const auto& counts : ranks.gather_to_all<std::uint64_t>(own.counts))
    for (const std::uint64_t count : counts) graph.start.push_back(graph.start.back() + count);
  for (const auto& pairs : ranks.gather_to_all<std::uint64_t>(own.pairs))
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
      graph.list.push_back(static_cast<std::uint32_t>(pairs[k]));
      graph.edges.push_back(pairs[k + 1]);
    }
  return graph;
}

std::vector<std::uint32_t> owners(const BlockGraph64& graph, Index blocks, std::string_view way,
                                  std::uint64_t seed, const Communicator& ranks) {
  std::vector<std::uint32_t> owner(blocks);
  if (way == "blocks") {
    for (int r = 0; r < ranks.size(); ++r) {
      const auto [first, last] = share_of(blocks, r, ranks.size());
      std::fill(owner.begin() + static_cast<std::ptrdiff_t>(first),
                owner.begin() + static_cast<std::ptrdiff_t>(last), static_cast<std::uint32_t>(r));
    }
    return owner;
  }
  if (way == "random") {
    Random random(seed);
    for (auto& r : owner)
      r = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(ranks.size())));
    return owner;
  }
  require(way == "scotch", "partition: '", way, "' is not known; there are blocks, scotch, random");
  std::vector<std::uint32_t> parts;
  ranks.together([&] {  // one rank asks, so that all have the same answer
    if (ranks.is_first())
      parts = scotch_parts(graph, static_cast<std::uint32_t>(ranks.size()), seed);
  });
  return ranks.gather_to_all<std::uint32_t>(parts).front();
}

}  // namespace

Partition make_partition(const BinaryField& model, Index block, std::string_view way,
                         std::uint64_t seed, const Communicator& ranks) {
  Partition partition;
  partition.variables = model.variables();
  partition.block = block;
  const Index blocks = (partition.variables + block - 1) / block;
  const BlockGraph64 graph = block_graph(model, block, blocks, ranks);
  partition.waves = waves_of({graph.start, graph.list});
  partition.owner = owners(graph, blocks, way, seed, ranks);
  return partition;
}

}  // namespace surefield
