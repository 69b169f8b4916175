// Sets put together field by field, each in a vector of its own size: 24 bytes and 4 an item.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "surefield/core/set_collection.hpp"
#include "surefield/io/baskets/label_list.hpp"

namespace surefield {

class SetBuilder {
 public:
  LabelList labels;

  /// Into the set that is open; an item that is there already is counted.
  void add(std::string_view label, Index line) { add(labels.place(label, line)); }
  void add(std::uint32_t item);
  /// Ends the open set; the next one starts empty.
  void close();
  /// Ends the open set if it is of another order, and opens that of this one, be it new or not.
  void open_order(std::string_view order);
  /// Ends the last order.
  void close_order();

  /// Room for about so many sets.
  void expect(Index sets) { data_.sets.reserve(sets); }
  Index sets() const { return data_.sets.size(); }
  SetCollection& data() { return data_; }

 private:
  SetCollection data_;
  std::vector<std::uint32_t> open_;
  std::vector<Index> last_set_with_;  // per item: the mark of the last set that holds it
  Index mark_ = 1;                    // of the open set
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> orders_;
  std::string order_;
  Index place_ = 0;  // of the open order's set
  bool any_order_ = false;
};

}  // namespace surefield
