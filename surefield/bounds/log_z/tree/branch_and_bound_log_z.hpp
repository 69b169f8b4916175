// A certified interval for log Z of a submodular model, or of a difference of two such
// (models/submodular_difference.hpp), as narrow as asked for.
//
//   lower <= log sum_S e^{beta F(S)} <= upper      over the sets that agree with the fixed items
//
// The method is in log_z_tree.hpp. It can be stopped at any time: by a width, by a number of
// splits, or by an observer; whatever it has got by then is valid. Cost: each split asks for 4 n
// gains; leaves take 40 + n / 4 bytes. FLIDs of 10 dimensions and 60 items take 0.1 s to a width of
// 1e-3, sums of two FLIDs of 100 items 0.01 s.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "surefield/bounds/log_z/tree/log_z_tree.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/report.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct CertifiedLogZProgress {
  Interval log_z;
  Index splits, leaves;
};

struct CertifiedLogZOptions {
  double beta = 1;            ///< finite and >= 0
  double width = 1e-3;        ///< of the interval
  Index splits = 4'000'000;   ///< at most
  bool marginals = false;     ///< intervals for P(i in S) as well
  bool gives_up = false;      ///< leaves, where the budget's memory is used up; else it stops there
  Budget budget = {};         ///< the result does not depend on its threads
  Index report_every = 4096;  ///< splits between two calls of the observer
  /// Returns whether to go on.
  std::function<bool(const CertifiedLogZProgress&)> observer = {};
  Helpers* helpers = nullptr;  ///< split leaves too; the result does not depend on them
};

struct CertifiedLogZ {
  Interval log_z;
  std::vector<Interval> marginals;  ///< for all items, if asked for
  Basis basis = Basis::kProved;     ///< of both
  Status
      status;  ///< kConverged: the width is reached; kDone: nothing is left to split, what remains
               ///< is rounding; kEpochLimit: the splits are used up; kInterrupted
  Index splits, leaves;
};

/// One leaf, to be refined. Throws Error if F is known not to be submodular and no difference of two
/// such is known, for an interval of the box that is not [0, 1], 0 or 1, for beta < 0, and for numbers
/// beyond a double.
LogZTree log_z_tree(const AnyModel& model, const Box* box = nullptr, double beta = 1);

/// Refines until one of the options says stop; helpers that know the subject split leaves too.
CertifiedLogZ refine_log_z(LogZTree& tree, const CertifiedLogZOptions& options,
                           const Subject& subject = {});

CertifiedLogZ branch_and_bound_log_z(const AnyModel& model, const Box* box = nullptr,
                                     const CertifiedLogZOptions& options = {});

/// What helpers answer for such a search of another process. Throws Error for bytes that are not its subject's.
inline constexpr std::string_view kTreeSubject = "branch and bound";
Answerer log_z_tree_answerer(const AnyModel& model, std::string_view subject, const Budget& budget);

}  // namespace surefield
