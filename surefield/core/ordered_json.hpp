// JSON whose keys stay in the order in which they were written: everything we write.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace surefield {

using OrderedJson = nlohmann::ordered_json;

}  // namespace surefield
