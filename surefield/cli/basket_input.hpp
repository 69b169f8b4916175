// How a file of sets is to be read, where it does not tell by itself.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "surefield/io/baskets/read_baskets.hpp"

namespace surefield::cli {

struct BasketInput {
  std::string separator, form, columns, encoding;
  bool header = false, no_header = false;
  std::string blank = "skip";  ///< or empty, refuse
};

/// --separator, --header, --no-header, --form, --long, --encoding, --blank.
void add_basket_options(CLI::App& command, BasketInput& input);

/// Throws Error where the file holds no set.
Baskets load_baskets(const std::string& path, const BasketInput& input);

}  // namespace surefield::cli
