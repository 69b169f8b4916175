#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"

#include <algorithm>

namespace surefield {

CertifiedLogZ refine_log_z(LogZTree& tree, const CertifiedLogZOptions& options) {
  require(options.width >= 0, "branch and bound: the width is ", options.width,
          ", which must be >= 0");
  CertifiedLogZ result{
      .log_z = {}, .marginals = {}, .status = Status::kEpochLimit, .splits = 0, .leaves = 0};
  const Index end = tree.splits() + options.splits;
  while (true) {
    if (tree.log_z().width() <= options.width) {
      result.status = Status::kConverged;
      break;
    }
    if (!tree.can_split()) {
      result.status = Status::kDone;
      break;
    }
    if (options.observer && !options.observer({tree.log_z(), tree.splits(), tree.leaves()})) {
      result.status = Status::kInterrupted;
      break;
    }
    if (tree.splits() >= end) break;
    const Index left = end - tree.splits();
    tree.refine(options.width,
                options.observer ? std::min(left, std::max<Index>(options.report_every, 1)) : left,
                options.threads);
  }
  result.log_z = tree.log_z();
  result.splits = tree.splits();
  result.leaves = tree.leaves();
  if (options.marginals) result.marginals = tree.marginals();
  return result;
}

}  // namespace surefield
