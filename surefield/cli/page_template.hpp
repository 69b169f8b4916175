// The report page before any result is in it: made from page/ at build time and linked into the
// program.
#pragma once

#include <string_view>

namespace surefield::cli {

std::string_view page_template();

}  // namespace surefield::cli
