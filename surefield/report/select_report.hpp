// What a selection found, as text, JSON and CSV: a row a candidate with both intervals, and the
// verdict.
#pragma once

#include <string>

#include "surefield/api/select.hpp"

namespace surefield {

std::string select_text(const SelectResult& result);
std::string select_json(const SelectResult& result);
std::string select_csv(const SelectResult& result);

}  // namespace surefield
