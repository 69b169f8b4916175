// Data sets of a known form: one set a line, its items separated by commas, each an id or a name.
// Files as they come are read by io/baskets/read_baskets.hpp.
//
//   4,5,6        or by name        Ramp,"Sea Squirts, five"
//   7                              Swing
//
// A field in double quotes may hold commas, and "" for a quote; a line "" alone is the empty set; a
// line that starts with # is a comment. Ids may also be separated by blanks. What is odd but harmless (blank lines, an item twice in a set, an item nobody knows) is
// refused or left out and counted, as the options say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

enum class OddInput { kCount, kRefuse };

struct SetsOptions {
  /// By default names where `names` are given; else ids if the file starts with a number.
  enum class Items { kGuess, kIds, kNames };
  enum class Blank { kSkip, kEmptySet, kRefuse };

  Items items_are = Items::kGuess;
  Index first_id = 1;  ///< 0 or 1
  Index items = 0;     ///< 0: the greatest id says how many there are
  std::vector<std::string> names =
      {};  ///< of the items in order; none: named in order of appearance
  Blank blank_lines = Blank::kSkip;
  OddInput repeated = OddInput::kCount;  ///< an item twice in a set: once is kept
  OddInput unknown = OddInput::kRefuse;  ///< an id or name outside the known items: left out
};

SetCollection parse_sets(std::string_view text, std::string_view name,
                         const SetsOptions& options = {});
SetCollection read_sets(const std::string& path, const SetsOptions& options = {});

/// One set a line, by name if the collection has names, else by id from first_id. An empty set is
/// the line "".
std::string sets_text(const SetCollection& collection, Index first_id = 1);

}  // namespace surefield
