// The words that generated registries are made of: per category its needs, with the products that
// serve each, and makers, qualities and details to tell products apart. All makers are invented.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield {

struct RegistryNeed {
  std::string_view name;
  std::span<const std::string_view> products;
};

struct RegistryCategory {
  std::string_view name;
  std::span<const RegistryNeed> needs;
  std::span<const std::string_view> makers, qualities, details;
};

std::span<const RegistryCategory> registry_categories();

/// Throws Error, listing those there are, for any other name.
const RegistryCategory& registry_category(std::string_view name);

/// One name for each item, no two alike: maker, quality, product, and for some a detail, which may
/// hold commas and quotes. need_of[i] is the need that item i serves; beyond the last the needs
/// begin again.
std::vector<std::string> registry_item_names(const RegistryCategory& category,
                                             std::span<const Index> need_of, Random& random);

}  // namespace surefield
