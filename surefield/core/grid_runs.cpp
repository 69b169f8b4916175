#include "surefield/core/grid_runs.hpp"

namespace surefield {
namespace {

/// Whether i has four neighbours, two of them beside it and two well away, the last of them not the last of all.
bool is_crossing(Neighbours neighbours, Index i) {
  if (neighbours.start[i + 1] - neighbours.start[i] != 4) return false;
  const auto* const to = neighbours.list.data() + neighbours.start[i];
  return to[0] + 2 * kShortestRun <= i && to[1] + Index{1} == i && to[2] == i + 1 &&
         to[3] >= i + 2 * kShortestRun && to[3] + 2 < neighbours.start.size();
}

GridRun run_of_one(Neighbours neighbours, Index i) {
  const std::size_t end = neighbours.start[i];
  return {i, end, 1, static_cast<std::uint32_t>(i - neighbours.list[end]),
          static_cast<std::uint32_t>(neighbours.list[end + 3] - i)};
}

bool continues(const GridRun& run, const GridRun& next) {
  return next.first == run.first + 2 * Index{run.count} && next.up == run.up &&
         next.down == run.down && next.first_end == run.first_end + 8 * std::size_t{run.count};
}

/// A block is visited once for every colour, but comes from memory once: of what comes next, half as many nodes as a run spans, so that
/// both visits share the wait. The first colour of a block asks for its second half, the other for the first half of the next block.
void look_ahead(GridRuns& found) {
  const auto first_of = [&](std::size_t c) {
    return c == 0 ? std::size_t{0} : found.run_ends[c - 1];
  };
  for (std::size_t c = 0; c < found.run_ends.size(); ++c) {
    const std::size_t first = first_of(c), end = found.run_ends[c];
    if (first == end) continue;
    const Index begin = found.runs[first].first;
    const Index half = (found.runs[end - 1].first + 2 * found.runs[end - 1].count - begin) / 2;
    const Index next = end < found.runs.size() ? found.runs[end].first : begin;
    const bool same = next < begin + half && begin < next + half;
    for (std::size_t r = first; r < end; ++r)
      found.runs[r].ahead = (same ? begin + half : next) + (found.runs[r].first - begin) / 2;
  }
}

/// Five numbers a node, in whole registers of the widest: so every run begins at a cache line of its own.
void place_packed(GridRuns& found) {
  constexpr std::size_t kWidest = 8;
  for (GridRun& run : found.runs) {
    run.packed = found.packed_size;
    found.packed_size += 5 * ((run.count + kWidest - 1) / kWidest * kWidest);
  }
  found.packed_size += kPackedAhead;
}

}  // namespace

GridRuns find_grid_runs(std::span<const Index> order, std::span<const std::size_t> class_ends,
                        Neighbours neighbours) {
  GridRuns found;
  std::size_t place = 0;
  for (const std::size_t class_end : class_ends) {
    GridRun run{};
    const auto close = [&] {
      if (run.count >= kShortestRun)
        found.runs.push_back(run);
      else
        for (Index k = 0; k < run.count; ++k) found.rest.push_back(run.first + 2 * k);
      run = {};
    };
    for (; place < class_end; ++place) {
      const Index i = order[place];
      if (!is_crossing(neighbours, i)) {
        found.rest.push_back(i);
        continue;
      }
      const GridRun next = run_of_one(neighbours, i);
      if (run.count > 0 && continues(run, next)) {
        ++run.count;
        continue;
      }
      close();
      run = next;
    }
    close();
    found.run_ends.push_back(found.runs.size());
    found.rest_ends.push_back(found.rest.size());
  }
  look_ahead(found);
  place_packed(found);
  if (2 * found.rest.size() > order.size()) return {};
  return found;
}

}  // namespace surefield
