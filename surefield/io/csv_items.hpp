// The fields of one line of comma separated values: RFC 4180 quotes, blanks around a field left
// out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/io/lines.hpp"

namespace surefield {

/// Throws Error, naming file and line, where a quote does not close or text follows it, or a field
/// is empty.
std::vector<std::string> csv_items(const Lines& at);

}  // namespace surefield
