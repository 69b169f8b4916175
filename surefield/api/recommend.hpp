// What goes with a half-filled basket: the items most probably in the set, given those that are.
//
//   P(i in S | have is in S, out is not)      marginals of p(S) ~ exp(beta F(S)) on that box
//
// Exact where a method is cheap (log_z.hpp), else by mean field, whose marginals are those
// of the best product distribution; the result says which, and mean field comes with its bound. Of a
// model that is not submodular, where nothing exact is cheap, by gain: the chance of an item if nothing else
// is put in, P(i in S | S - i = have) = sigmoid(beta (F(have + i) - F(have))), exact for any F.
// A suggestion replaces the items whose marginal falls most when it is put in too, and complements
// those whose marginal rises most; it is there because of the items had that raise its gain
// (reasons.hpp). Cost: one inference, and one more a suggestion to explain.
// docs/recommend.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/api/complete.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/api/reasons.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/result.hpp"

namespace surefield {

struct RecommendOptions {
  std::vector<Index> have = {};  ///< items in the basket; repeats count once
  std::vector<Index> out = {};   ///< items not to be suggested: out of the set
  Index count = 5;               ///< suggestions, at most
  double inverse_temperature = 1;
  std::string method =
      "auto";            ///< exact (refused where too dear), mean-field, gain; auto: exact if cheap
  bool explain = false;  ///< why each is suggested, what it replaces and complements
  Index effects = 3;     ///< of either kind, at most
  bool proof = true;     ///< of mean field: an upper bound of the best ELBO as well
  Budget budget = {};    ///< the answer does not depend on its threads
  std::uint64_t seed = 1;
};

/// How the marginal of an item changes when a suggestion is put in.
struct Effect {
  Index item;
  double before, after;
  double change() const { return after - before; }
};

struct Suggestion {
  Index item;
  double marginal;                       ///< given what is had
  double gain;                           ///< F(have + item) - F(have)
  std::vector<Effect> replaces = {};     ///< the largest falls first; empty unless asked for
  std::vector<Effect> complements = {};  ///< the largest rises first
  std::vector<Reason> because = {};      ///< items had that raise or lower the gain; likewise
};

struct RecommendResult {
  /// The run: of mean field with elbo and bounds; of an exact method with exact marginals, and log
  /// Z for an elbo.
  Result result;
  bool exact = false;
  std::string method;                   ///< "exact, by best items"; "mean field"; "gain"
  std::vector<Index> have, out;         ///< all that are in and out, those of the box included
  std::vector<Suggestion> suggestions;  ///< most probable first, ties to the first item
  Index left = 0;                       ///< items that could be suggested
  Completion completion;                ///< of the whole basket
};

/// Throws Error for an item that does not exist, is both had and out, or is had or out against the
/// problem's box; for a method that is not known; and for `exact` where no exact method applies.
RecommendResult recommend(const Problem& problem, const RecommendOptions& options);

}  // namespace surefield
