// Seeded registries of products with names: what the demonstrations and the tests learn from.
//
// The law is a FLID whose dimensions are needs ("stroller", "bottle"): W is 3 to 5 where an item
// serves its need, so that two that serve the same one are substitutes; three items in ten also
// serve another need a little (0.05 to 0.4). Popularity falls as rank^-0.8 and is scaled to the
// mean size asked for. The sets are independent exact draws (bounds/log_z/sampling/flid_sampling.hpp), given
// that they are not empty.
//
// With complements every shopper has one of four styles, which raises the utility of all that
// serves a third of the needs by 2 and lowers the rest by 1: needs then come together, as no FLID
// can say, and there is no true model to compare with.
//
// Numbers of the law are rounded to thousandths, so a seed means the same bytes on every machine.
// Cost: 5000 sets of 40 items in about 10 ms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surefield/core/set_collection.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

struct RegistryOptions {
  std::string category = "nursery";
  Index items = 40;
  Index sets = 2000;
  /// Needs; by default one for four items, at most twelve.
  std::optional<Index> dimensions = {};
  /// About, before empty sets are left out; by default 3, or half the needs if that is less.
  std::optional<double> mean_size = {};
  bool complements = false;
  std::uint64_t seed = 1;
};

struct Registries {
  SetCollection data;               ///< with the names of the items; no empty set
  Flid truth;                       ///< no items where there is no true FLID: with complements
  std::vector<std::string> groups;  ///< the needs, one a dimension
  std::vector<Index> group_of;      ///< the need that each item serves
};

/// Throws Error for a category that is not there, listing those that are, and for numbers out of
/// range.
Registries generate_registries(const RegistryOptions& options);

}  // namespace surefield
