// A data set: sets of items, as observed. Plain data, filled by the readers in io/ and by the
// generators, learned from in learn/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct SetCollection {
  Index items = 0;
  std::vector<std::vector<std::uint32_t>>
      sets;                        ///< items from 0, as ordered in the file, each once
  std::vector<std::string> names;  ///< of the items; none if the file has ids and none were given
  Index blank_lines = 0;           ///< how often each oddity was met
  Index repeated_items = 0;
  Index unknown_items = 0;
};

}  // namespace surefield
