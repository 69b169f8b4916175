#include "surefield/api/grid_rows.hpp"

#include <cmath>
#include <limits>

#include "surefield/core/error.hpp"
#include "surefield/io/binary/binary_field.hpp"
#include "surefield/io/binary/new_folder.hpp"
#include "surefield/io/binary/npy_writer.hpp"
#include "surefield/io/write_file.hpp"

namespace surefield {
namespace {

constexpr Index kLargestGrid = Index{1} << 40;

/// The edge ends of a grid, node by node: north, west, east, south, which is ascending.
template <class Id>
void write_ends(GridRows& grid, const NewFolder& folder, std::uint64_t ends) {
  const Index side = grid.side();
  NpyWriter<std::uint64_t> start(folder.file("start.npy"), std::uint64_t{side} * side + 1);
  NpyWriter<Id> neighbour(folder.file("neighbour.npy"), ends);
  NpyWriter<double> coupling(folder.file("coupling.npy"), ends);
  std::uint64_t written = 0;
  start.write(written);
  const auto end = [&](std::uint64_t to, double weight) {
    neighbour.write(static_cast<Id>(to));
    coupling.write(weight);
    ++written;
  };
  for (Index row = 0; row < side; ++row) {
    const auto [north, east, south] = grid.next_couplings();
    for (Index column = 0; column < side; ++column) {
      const std::uint64_t node = std::uint64_t{row} * side + column;
      if (!north.empty()) end(node - side, north[column]);
      if (column > 0) end(node - 1, east[column - 1]);
      if (column + 1 < side) end(node + 1, east[column]);
      if (!south.empty()) end(node + side, south[column]);
      start.write(written);
    }
  }
  start.close();
  neighbour.close();
  coupling.close();
}

}  // namespace

GridRows::GridRows(Index items, GridLaw law, std::uint64_t seed)
    : side_(static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(items))))),
      law_(law),
      random_(seed) {
  require(items <= kLargestGrid, "generate: a grid of ", items, " items is more than the limit of ",
          kLargestGrid);
}

std::span<const double> GridRows::next_biases() {
  bias_.resize(side_);
  for (double& v : bias_) v = random_.uniform(law_.bias_low, law_.bias_high);
  return bias_;
}

GridRows::Couplings GridRows::next_couplings() {
  north_.swap(south_);
  east_.clear();
  south_.clear();
  for (Index column = 0; column < side_; ++column) {
    if (column + 1 < side_) east_.push_back(random_.uniform(-law_.coupling, 0));
    if (row_ + 1 < side_) south_.push_back(random_.uniform(-law_.coupling, 0));
  }
  ++row_;
  return {north_, east_, south_};
}

void write_grid(GridRows grid, const std::string& path) {
  const std::uint64_t side = grid.side();
  const std::uint64_t nodes = side * side;
  const std::uint64_t ends = side == 0 ? 0 : 4 * side * (side - 1);
  NewFolder folder(path, kBinaryIndex);
  NpyWriter<double> bias(folder.file("bias.npy"), nodes);
  for (Index row = 0; row < side; ++row) bias.write(grid.next_biases());
  bias.close();
  if (nodes <= std::numeric_limits<std::uint32_t>::max())
    write_ends<std::uint32_t>(grid, folder, ends);
  else
    write_ends<std::uint64_t>(grid, folder, ends);
  write_file(folder.file(kBinaryIndex), binary_index_text(nodes, ends, 0, 0, {}));
  folder.keep();
}

}  // namespace surefield
