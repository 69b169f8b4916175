#include "surefield/distributed/field_slice.hpp"

#include <algorithm>
#include <limits>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

void add_variable(const BinaryField& model, std::uint64_t i, FieldSlice& slice) {
  slice.field.bias.push_back(model.bias(i));
  slice.box.low.push_back(model.interval(i).low);
  slice.box.high.push_back(model.interval(i).high);
}

/// The variables of others that own ones touch, ascending, each once. Most ends lead to the block itself and are passed over at
/// once.
std::vector<std::uint64_t> touched_by(const FieldSlice& slice, const BinaryField& model,
                                      const Partition& partition, std::uint32_t rank) {
  std::vector<std::uint64_t> halo;
  Index read = 0;
  for (const std::uint64_t b : slice.blocks) {
    if (read++ % kReadAtOnce == 0) model.forget_pages();
    const std::uint64_t end = std::min<std::uint64_t>((b + 1) * slice.block, partition.variables);
    for (std::uint64_t e = model.start(b * slice.block); e < model.start(end); ++e)
      if (const std::uint64_t j = model.neighbour(e); partition.owner_of(j) != rank)
        halo.push_back(j);
  }
  std::ranges::sort(halo);
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  return halo;
}

void fill(FieldSlice& slice, const BinaryField& model, const Partition& partition,
          std::uint32_t rank) {
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  slice.block = partition.block;
  std::vector<std::uint32_t> wave_of_block;
  std::vector<std::uint32_t> place(partition.blocks(), kMost);  // of own blocks among themselves
  std::uint64_t ends = 0;
  for (Index b = 0; b < partition.blocks(); ++b) {
    if (partition.owner[b] != rank) continue;
    place[b] = static_cast<std::uint32_t>(slice.blocks.size());
    slice.blocks.push_back(b);
    wave_of_block.push_back(partition.waves.of_block[b]);
    const std::uint64_t end = std::min<std::uint64_t>((b + 1) * slice.block, partition.variables);
    slice.own += end - b * slice.block;
    ends += model.start(end) - model.start(b * slice.block);
  }
  slice.halo = touched_by(slice, model, partition, rank);
  const Index all = slice.own + slice.halo.size();
  require(all < kMost, "rank ", rank, " would hold ", all, " variables, more than ", kMost - 1,
          "; use more ranks");
  PairwiseField& field = slice.field;
  field.bias.reserve(all);
  field.start.reserve(all + 1);
  field.neighbour.reserve(ends);
  field.coupling.reserve(ends);
  slice.box.low.reserve(all);
  slice.box.high.reserve(all);
  const auto local = [&](std::uint64_t j) {
    const std::uint32_t b = place[j / slice.block];
    if (b != kMost) return static_cast<std::uint32_t>(b * slice.block + j % slice.block);
    const auto at = std::ranges::lower_bound(slice.halo, j) - slice.halo.begin();
    return static_cast<std::uint32_t>(slice.own + static_cast<Index>(at));
  };
  Index read = 0;
  for (const std::uint64_t b : slice.blocks) {
    if (read++ % kReadAtOnce == 0) model.forget_pages();
    for (std::uint64_t i = b * slice.block;
         i < std::min<std::uint64_t>((b + 1) * slice.block, partition.variables); ++i) {
      add_variable(model, i, slice);
      for (std::uint64_t e = model.start(i); e < model.start(i + 1); ++e) {
        field.neighbour.push_back(local(model.neighbour(e)));
        field.coupling.push_back(model.coupling(e));
      }
      field.start.push_back(field.neighbour.size());
    }
  }
  for (const std::uint64_t j : slice.halo) {
    add_variable(model, j, slice);
    field.start.push_back(field.neighbour.size());
  }
  model.forget_pages();
  slice.order =
      arrange(field.neighbours(), slice.own, slice.block, wave_of_block, partition.waves.count);
}

}  // namespace

FieldSlice read_slice(const BinaryField& model, const Partition& partition,
                      const Communicator& ranks) {
  FieldSlice slice;
  ranks.together([&] { fill(slice, model, partition, static_cast<std::uint32_t>(ranks.rank())); });
  return slice;
}

}  // namespace surefield
