// Which of several families that were judged on the same held-out sets is to be learned.
//
//   ruled out   what is proved to make held-out sets less likely than items by themselves do
//   leads       the highest mean reciprocal rank of hidden items
//   kept        whose difference from what leads, set by set, is within two standard errors; and what keeps nine
//               tenths of the leader's gain over popularity, four fifths where the leader is not proved to be as likely
//               as items by themselves, and is certified to be more likely
//   wins        of those kept the plainest than which none is certified to be more likely
//
// A likelihood counts by its lower end: what is proved. So a wide interval loses against a narrow one, and no bound
// against any. "More likely" is by two standard errors, set by set, and a thousandth of a nat a set. Without nine
// tenths a hundredth of a rank would decide against a model of which everything is known.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "surefield/api/family_choice.hpp"

namespace surefield {

/// A family as it is shown, and what likelihoods are compared by.
struct JudgedFamily {
  FamilyRow row;
  std::vector<double>
      over;         ///< log p(S) - log p0(S), set by set over all folds, log Z in its middle
  double half = 0;  ///< of the width of their mean; infinite where log Z is not bounded
};

struct FamilyDecision {
  std::string leader, winner;
};

/// Of families in the order given, plainest first, at least one, judged on the same sets; fills in how far each is
/// behind.
FamilyDecision decide_family(std::span<JudgedFamily> families);

/// Whether the row is proved to make held-out sets less likely than items by themselves do.
bool is_worse_than_items(const FamilyRow& row);

}  // namespace surefield
