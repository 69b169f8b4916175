#include "surefield/core/report.hpp"

namespace surefield {

std::string_view text_of(Status status) {
  switch (status) {
    case Status::kDone:
      return "done";
    case Status::kConverged:
      return "converged";
    case Status::kEpochLimit:
      return "epoch-limit";
    case Status::kInterrupted:
      return "interrupted";
    case Status::kShort:
      return "short";
    case Status::kFailed:
      return "failed";
  }
  return "failed";
}

}  // namespace surefield
