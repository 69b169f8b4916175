// How each piece of work ended, measured by what was asked for: what report/ending.hpp makes an exit code of, and Python
// a status and a warning.
#pragma once

#include <span>

#include "surefield/api/model_selection.hpp"
#include "surefield/api/work.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/fit_report.hpp"

namespace surefield {

/// `interrupted`: somebody asked to stop, whatever the answer says.
Ending ending_of(const Result& result, const InferWork& work, bool interrupted);
Ending ending_of(const LogZResult& result, const LogZWork& work, bool interrupted);
Ending ending_of(const SampleResult& result, const SampleWork& work, bool interrupted);
Ending ending_of(const BestSetResult& result, const BestSetWork& work, bool interrupted);
Ending ending_of(const AgreeResult& result, const AgreeWork& work, bool interrupted);
Ending ending_of(std::span<const AgreePairs> tables, const AgreeWork& work, bool interrupted);
Ending ending_of(const RecommendResult& result, bool interrupted);
Ending ending_of(const Evaluation& result, const EvaluateWork& work, bool interrupted);
Ending ending_of(const ModelSelection& result, bool interrupted);
/// `models`: so many were to be learned. Of pairwise fields log Z is rarely known closely: that is short of what was
/// asked for only if it was asked for.
Ending ending_of(std::span<const FitEntry> entries, const FitWork& work, Index models,
                 bool width_given, bool interrupted);

}  // namespace surefield
