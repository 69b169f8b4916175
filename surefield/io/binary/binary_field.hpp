// A pairwise field as a folder of arrays (`.sfm`), for models that are too large for text, or for one
// process. Python opens it without us; several processes read their own slices of it.
//
//   model.json      {"surefield": "1", "form": "arrays", "kind": "pairwise", "variables": n, "edge_ends": m,
//                   "constant": 0}; with "inherited_error" and "items" where there are any
//   bias.npy        n of <f8
//   start.npy       n + 1 of <u8: the edge ends of node i are start[i] .. start[i + 1]
//   neighbour.npy   m of <u4, or of <u8 where n is beyond 2^32: every edge twice, ascending per node
//   coupling.npy    m of <f8
//   low.npy, high.npy   n of <f8 each, where the box is not [0, 1]^n
//
// 12 bytes an edge end and 16 a node. A cut is written as the pairwise field it is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/io/binary/npy.hpp"
#include "surefield/io/model_file.hpp"

namespace surefield {

inline constexpr std::string_view kBinaryIndex = "model.json";

/// The arrays of a folder, mapped: nothing is read but what is asked for.
class BinaryField {
 public:
  /// Throws Error if the folder is not such a model: versions, kinds and the sizes of all arrays are
  /// checked here, their content by `check`.
  explicit BinaryField(const std::string& folder);

  const std::string& folder() const { return folder_; }
  std::uint64_t variables() const { return variables_; }
  std::uint64_t edge_ends() const { return edge_ends_; }
  double constant() const { return constant_; }
  double inherited_error() const { return inherited_error_; }
  const std::vector<std::string>& items() const { return items_; }

  double bias(std::uint64_t i) const { return bias_values_[i]; }
  /// Where the edge ends of node i start; of node n, where they end.
  std::uint64_t start(std::uint64_t i) const { return start_values_[i]; }
  std::uint64_t neighbour(std::uint64_t e) const { return narrow_.empty() ? wide_[e] : narrow_[e]; }
  double coupling(std::uint64_t e) const { return coupling_values_[e]; }
  Interval interval(std::uint64_t i) const {
    return low_values_.empty() ? Interval{0, 1} : Interval{low_values_[i], high_values_[i]};
  }

  /// Gives the memory back that what has been read so far took. Who reads much calls it now and then: pages that were
  /// read count as memory of the process until then.
  void forget_pages() const {
    for (const NpyArray& array : arrays_) array.forget_pages();
  }

  /// Throws Error, naming file and place, unless for every node of [first, last) the numbers are finite, the
  /// ends ascend and lie within n, and each edge has the same coupling at its other end. Cost: O(ends
  /// log degree).
  void check(std::uint64_t first, std::uint64_t last) const;

 private:
  std::optional<std::uint64_t> find(std::uint64_t node, std::uint64_t other) const;
  std::string file(std::string_view name) const {
    return folder_ + "/" + std::string(name) + ".npy";
  }

  std::string folder_;
  std::uint64_t variables_ = 0, edge_ends_ = 0;
  double constant_ = 0, inherited_error_ = 0;
  std::vector<std::string> items_;
  std::vector<NpyArray> arrays_;  // keeps mapped what the spans below show
  std::span<const double> bias_values_, coupling_values_, low_values_, high_values_;
  std::span<const std::uint64_t> start_values_, wide_;
  std::span<const std::uint32_t> narrow_;
};

/// What model.json holds.
std::string binary_index_text(std::uint64_t variables, std::uint64_t edge_ends, double constant,
                              double inherited_error, const std::vector<std::string>& items);

/// The whole model in memory, checked. Throws Error beyond 2^32 - 1 variables.
ModelFile read_binary_model(const std::string& folder);

/// Throws Error for a model that is no pairwise field or cut.
void write_binary_model(const std::string& folder, const ModelFile& file);

}  // namespace surefield
