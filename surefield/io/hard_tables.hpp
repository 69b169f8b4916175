// Factor graphs with zeros that no field can hold: a zero of a table is a set that cannot be, log 0
// = -infinity, and a polynomial has no such value. Summing out variables needs no polynomial, so
// log Z of such files is still to be had.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "surefield/core/box.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

struct HardTables {
  FactorGraph graph;
  Box box;             ///< the evidence
  std::string reason;  ///< why it is no field: the factor and the entry that is zero
};

/// Nothing unless the file is a factor graph (uai or fg) that cannot be written as a field once the
/// evidence is in.
std::optional<HardTables> parse_hard_tables(std::string_view text, std::string_view name,
                                            const ReadOptions& options);

}  // namespace surefield
