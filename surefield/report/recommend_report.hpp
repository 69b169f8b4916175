// Recommendations as text, JSON and CSV: the suggestions, what they replace and complement, and the
// completed basket.
#pragma once

#include <string>

#include "surefield/api/recommend.hpp"

namespace surefield {

std::string recommend_text(const RecommendResult& answer);
std::string recommend_json(const RecommendResult& answer);
/// One line a suggestion: rank,index,item,marginal,gain,exact,replaces,complements.
std::string recommend_csv(const RecommendResult& answer);

}  // namespace surefield
