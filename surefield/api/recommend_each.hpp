// Suggestions for many baskets: what recommend() says of each, without proofs and completions.
//
// The method is decided once, for the empty basket: exact marginals where they take about a millisecond there, as of items by
// themselves, FLIDs of few dimensions and fields of small treewidth of hundreds of items (conditional_tree.hpp); else the gain, which is
// exact given that nothing else is put in. What recommend() finds for one basket beyond that, by mean field or by a longer exact
// method, is asked for by name. By gain a basket costs n gains and a partial sort: thousands a second. Threads share
// the baskets in blocks; the answers come in order and do not depend on them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "surefield/api/recommend.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

struct BasketAnswer {
  std::vector<Suggestion> suggestions;  ///< as recommend() has them
  bool exact = false;
};

/// Of baskets first, first + 1, ...
using BasketAnswers = std::function<void(Index first, std::span<const BasketAnswer> answers)>;

struct RecommendEachResult {
  std::string method;    ///< "exact marginals", "mean field", "gain"
  Index answered = 0;    ///< baskets
  bool complete = true;  ///< false: the budget was spent first
};

/// `options.have` is not used; an item of a basket that `options.out` names is had all the same. Throws
/// Error as recommend() does, and if the baskets are not of the problem's items.
RecommendEachResult recommend_each(const Problem& problem, const SetCollection& baskets,
                                   const RecommendOptions& options, const BasketAnswers& done);

}  // namespace surefield
