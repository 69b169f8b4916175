// What was found about log Z as text, JSON and CSV. Every value says which side it is on.
#pragma once

#include <cstddef>
#include <string>

#include "surefield/core/log_z_result.hpp"

namespace surefield {

/// At most `most_items` marginals are shown, largest first; 0 shows all, in order.
std::string log_z_text(const LogZResult& result, std::size_t most_items = 20);
std::string log_z_json(const LogZResult& result);
/// One line a method; where marginals were asked for, one line an item instead.
std::string log_z_csv(const LogZResult& result);

}  // namespace surefield
