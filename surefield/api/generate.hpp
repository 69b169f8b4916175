// Seeded instances of every model family: for trying things out, for tests and for benchmarks. The
// same seed gives the same model on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "surefield/models/any_model.hpp"

namespace surefield {

struct GenerateOptions {
  std::optional<Index> items = {};     ///< n; for a grid, rounded up to a square
  std::optional<Index> groups = {};    ///< dimensions, customers, concepts, hyperedges, groups
  std::optional<double> density = {};  ///< chance that an entry or an edge is there
  std::uint64_t seed = 1;
};

struct GeneratorRow {
  std::string_view name;
  std::string_view about;  ///< the law of the instance, with its defaults
  AnyModel (*make)(const GenerateOptions&);
  /// The same as a binary model that need not fit into memory; nullptr where that is not known.
  void (*write)(const GenerateOptions&, const std::string& folder) = nullptr;
};

std::span<const GeneratorRow> generator_table();

/// Throws Error for a name that is not in the table, listing those that are, and for numbers out of
/// range.
AnyModel generate(std::string_view name, const GenerateOptions& options);

/// The same model as a folder of arrays (io/binary/binary_field.hpp), written in slices where the row can: then the
/// limit is the disk.
void generate_binary(std::string_view name, const GenerateOptions& options,
                     const std::string& folder);

}  // namespace surefield
