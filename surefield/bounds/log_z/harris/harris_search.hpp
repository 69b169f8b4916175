// A certified interval for log Z of sums of best items (FLIDs, facility locations, two folds at once), as narrow
// as asked for: a search by depth over classes of sets, each bounded as in harris_bound.hpp.
//
// A class whose ends differ by more than a tolerance is split: its items in order of their part of the gap; the
// sets whose first such item is k are one class for each of the items that matter, the sets without any of
// them the last. There is no queue and no memory of classes done: a round goes through all of them at one
// tolerance, and the next round has a smaller one, until the sum of the gaps is small enough. The work grows about
// like tolerance^-0.4, so all rounds cost little more than the last, and the width falls like 1 / work^1.5.
// Classes two levels below the top are shared among threads and helpers in a fixed way: the result does not depend on
// their number: told by what they are parts of, as far as there is room for them. A round has a tolerance for which the time left should suffice;
// once the budget is spent classes are no longer split, so the interval holds at any time.
//
// The 40 public FLIDs of 10 dimensions and 100 items take 0.02 to 0.05 s to 1e-3 and 1 to 3 s to 1e-6.
#pragma once

#include <functional>
#include <string_view>

#include "surefield/bounds/log_z/harris/best_item_table.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct HarrisOptions {
  double beta = 1;       ///< finite and > 0
  double width = 1e-3;   ///< of the interval, >= 0
  double entries = 5e8;  ///< of lists to be looked at, at most: about 20 ns each
  double room =
      256e6;  ///< bytes for classes to be shared; what finds none is searched by one thread
  Budget budget = {};  ///< the result does not depend on its threads
  /// Called after each round; returns whether to go on.
  std::function<bool(const Interval&)> observer = {};
  Helpers* helpers = nullptr;  ///< search classes too; the result does not depend on them
};

struct HarrisLogZ {
  Interval log_z;
  Status
      status;  ///< kConverged: the width is reached; kDone: what remains is rounding; kEpochLimit: the
               ///< entries are used up; kInterrupted
  double entries = 0;  ///< looked at in all rounds
  Index classes = 0;   ///< bounded in the last round
};

/// Throws Error where the model is not such a sum (best_item_table.hpp), and for options out of range.
HarrisLogZ harris_log_z(const AnyModel& model, const Box* box = nullptr,
                        const HarrisOptions& options = {});

/// What helpers answer for such a search of another process. Throws Error for bytes that are not its subject's.
inline constexpr std::string_view kHarrisSubject = "harris";
Answerer harris_answerer(const AnyModel& model, std::string_view subject, const Budget& budget);

}  // namespace surefield
