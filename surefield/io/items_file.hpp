// The labels of a model whose format keeps none: a file beside it, `<model>.items.csv`.
//
//   # the items of model.flid, text 9e3779b97f4a7c15
//   index,item
//   0,crib
//   1,"Sea Squirts, five"
//
// Indices count from 0, in order. The number in the first line is the FNV-1a hash of the model's
// text (http://www.isthe.com/chongo/tech/comp/fnv), so that labels are never put on another model;
// without that line they are taken as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

std::string items_path(const std::string& model_path);

std::string items_text(const std::vector<std::string>& items, std::string_view model_path,
                       std::string_view model_text);

/// Throws Error, naming file and line; if the labels are not those of so many items of that text.
std::vector<std::string> parse_items(std::string_view text, std::string_view name,
                                     std::string_view model_text, Index items);

/// Nothing if there is no such file, or the model is stdin.
std::optional<std::vector<std::string>> read_items_beside(const std::string& model_path,
                                                          std::string_view model_text, Index items);

}  // namespace surefield
