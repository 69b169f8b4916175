// What was found about log Z as text, JSON and CSV. Every value says which side it is on.
#pragma once

#include <string>

#include "surefield/core/log_z_result.hpp"

namespace surefield {

std::string log_z_text(const LogZResult& result);
std::string log_z_json(const LogZResult& result);
std::string log_z_csv(const LogZResult& result);

}  // namespace surefield
