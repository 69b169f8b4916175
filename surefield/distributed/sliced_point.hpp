// Points over the ranks: where to start, read or drawn, and where the answer goes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "surefield/distributed/communicator.hpp"
#include "surefield/distributed/field_slice.hpp"

namespace surefield {

/// One number for each own variable and copy, as Random(seed) draws them for variables 0, 1, ..., n - 1.
std::vector<double> drawn_point(const FieldSlice& slice, std::uint64_t seed);

/// Of a `.npy` array over the whole model. Throws Error unless it has n numbers, those looked at from 0 to 1.
std::vector<double> read_sliced_point(const FieldSlice& slice, std::uint64_t variables,
                                      const std::string& path);

/// The own variables of all ranks as one array in a file, each rank writing its part. Collective; replaces the file in one
/// step.
void write_sliced_point(const FieldSlice& slice, std::uint64_t variables, std::span<const double> x,
                        const std::string& path, const Communicator& ranks);

/// Flags of the own variables of all ranks, 64 a number, the same way; blocks must be multiples of 64.
void write_sliced_flags(const FieldSlice& slice, std::uint64_t variables,
                        std::span<const std::uint8_t> flags, const std::string& path,
                        const Communicator& ranks);
std::vector<std::uint8_t> read_sliced_flags(const FieldSlice& slice, std::uint64_t variables,
                                            const std::string& path);

/// A point at the first rank; nothing at the others. Collective.
std::vector<double> gathered_point(const FieldSlice& slice, std::uint64_t variables,
                                   std::span<const double> x, const Communicator& ranks);

}  // namespace surefield
