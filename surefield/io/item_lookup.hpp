// From what a file or a user calls an item to its index: by name, or by id counted from 0 or 1.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "surefield/core/concepts.hpp"

namespace surefield {

/// The whole number that fills the text, if it is one.
std::optional<std::uint64_t> parse_whole(std::string_view text);

class ItemLookup {
 public:
  /// Without names an item is its id, first_id .. first_id + items - 1. With names it is its name,
  /// or its id unless some name is itself a whole number. The names must outlive this. Throws Error
  /// if two items share a name.
  ItemLookup(Index items, Index first_id, std::span<const std::string> names = {});

  std::optional<Index> find(std::string_view text) const;
  /// What find understands, for a message: "an item from 1 to 10", "the name of one of 10 items".
  std::string expected() const;

 private:
  Index items_;
  Index first_id_;
  bool ids_ = true;
  std::unordered_map<std::string_view, Index> by_name_;
};

}  // namespace surefield
