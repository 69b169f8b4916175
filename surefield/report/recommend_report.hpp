// Recommendations as text, JSON and CSV: the suggestions, what they replace and complement, and the
// completed basket.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/api/recommend.hpp"
#include "surefield/api/recommend_each.hpp"

namespace surefield {

std::string recommend_text(const RecommendResult& answer);
std::string recommend_json(const RecommendResult& answer);
/// One line a suggestion: rank,index,item,marginal,gain,exact,replaces,complements,because.
std::string recommend_csv(const RecommendResult& answer);

/// Answers for many baskets, to be written as they come: what stands before all of them, then blocks.
///
///   text   a line a basket: the items suggested, best first, as a file of sets
///   csv    a line a suggestion: basket,rank,index,item,marginal,gain,exact,because; baskets from 1
///   json   a line a basket, an object each
std::string basket_answers_head(std::string_view format);
std::string basket_answers_text(std::string_view format, Index first,
                                std::span<const BasketAnswer> answers,
                                const std::vector<std::string>& items);

}  // namespace surefield
