#include "surefield/api/select_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace surefield {
namespace {

/// Among the rows that have the measure.
std::optional<Choice> choice_of(const std::vector<std::vector<Interval>>& candidates,
                                const std::vector<FoldPair>& places) {
  std::vector<std::vector<Interval>> known;
  std::vector<Index> row;
  for (Index c = 0; c < candidates.size(); ++c)
    if (is_known(candidates[c])) {
      known.push_back(candidates[c]);
      row.push_back(c);
    }
  if (known.empty()) return std::nullopt;
  Choice choice = choose(known, places);
  choice.best = row[choice.best];
  for (Index& rival : choice.rivals) rival = row[rival];
  return choice;
}

/// What the measure does not rule out, ascending.
std::vector<Index> plausible(const std::optional<Choice>& choice,
                             const std::vector<std::vector<Interval>>& candidates) {
  std::vector<Index> rows;
  for (Index c = 0; c < candidates.size(); ++c)
    if (!is_known(candidates[c]) || c == choice->best ||
        std::ranges::find(choice->rivals, c) != choice->rivals.end())
      rows.push_back(c);
  return rows;
}

class Verdict {
 public:
  Verdict(SelectResult& result, const std::vector<std::vector<Interval>>& agreement,
          const std::vector<std::vector<Interval>>& likelihood)
      : result_(result), agreement_(agreement), likelihood_(likelihood) {}

  void decide() {
    if (result_.rows.empty()) {
      result_.verdict = "stopped before anything could be compared";
      return;
    }
    result_.by_agreement = choice_of(agreement_, pair_places(result_.folds));
    result_.by_likelihood = choice_of(likelihood_, fold_places(result_.folds));
    const auto by_agreement = plausible(result_.by_agreement, agreement_);
    const auto by_likelihood = plausible(result_.by_likelihood, likelihood_);
    std::string_view how = "posterior agreement and held-out likelihood";
    if (result_.by == SelectOptions::By::kAgreement) {
      result_.left = by_agreement;
      how = "posterior agreement";
    } else if (result_.by == SelectOptions::By::kLikelihood) {
      result_.left = by_likelihood;
      how = "held-out likelihood";
    } else {
      std::set_intersection(by_agreement.begin(), by_agreement.end(), by_likelihood.begin(),
                            by_likelihood.end(), std::back_inserter(result_.left));
    }
    result_.winner = (result_.left.empty() ? by_likelihood : result_.left).front();
    result_.decided = result_.complete && result_.left.size() == 1 && result_.rows.size() > 1;
    if (!result_.complete)
      result_.verdict =
          fmt::format("stopped early; of what was compared, {} leads by {}",
                      names_of(result_.left.empty() ? by_likelihood : result_.left), how);
    else if (result_.rows.size() == 1)
      result_.verdict = fmt::format("{} was the only one to try", name_of(0));
    else if (result_.decided)
      result_.verdict = fmt::format("{} by {}", name_of(result_.winner), how);
    else if (result_.left.empty())
      result_.verdict =
          fmt::format("cannot tell: posterior agreement speaks for {}, held-out likelihood for {}",
                      names_of(by_agreement), names_of(by_likelihood));
    else
      result_.verdict = fmt::format("cannot tell {} apart by {}; the plainest is {}",
                                    names_of(result_.left, " from "), how, name_of(result_.winner));
    if (const auto unknown = unknown_rows(); !unknown.empty())
      result_.verdict += fmt::format("; no certified value of {}", names_of(unknown));
  }

 private:
  bool one_temperature() const {
    return std::ranges::all_of(result_.rows, [&](const SelectRow& row) {
      return row.inverse_temperature == result_.rows.front().inverse_temperature;
    });
  }

  std::string name_of(Index row) const {
    return one_temperature() ? fmt::format("D = {}", result_.rows[row].dimensions)
                             : fmt::format("D = {}, beta = {}", result_.rows[row].dimensions,
                                           result_.rows[row].inverse_temperature);
  }

  std::string names_of(const std::vector<Index>& rows, std::string_view last = " or ") const {
    std::string names;
    for (std::size_t k = 0; k < rows.size(); ++k)
      names += std::string(k == 0 ? "" : k + 1 == rows.size() ? last : "; ") + name_of(rows[k]);
    return names;
  }

  /// Rows without a measure that was to decide.
  std::vector<Index> unknown_rows() const {
    std::vector<Index> rows;
    for (Index c = 0; c < result_.rows.size(); ++c)
      if ((result_.by != SelectOptions::By::kLikelihood && !result_.rows[c].agreement) ||
          (result_.by != SelectOptions::By::kAgreement && !result_.rows[c].likelihood))
        rows.push_back(c);
    return rows;
  }

  SelectResult& result_;
  const std::vector<std::vector<Interval>>& agreement_;
  const std::vector<std::vector<Interval>>& likelihood_;
};

}  // namespace

bool is_known(const std::vector<Interval>& values) {
  return std::ranges::all_of(values, [](const Interval& value) {
    return std::isfinite(value.low) && std::isfinite(value.high);
  });
}

void decide(SelectResult& result, const std::vector<std::vector<Interval>>& agreement,
            const std::vector<std::vector<Interval>>& likelihood) {
  Verdict(result, agreement, likelihood).decide();
}

}  // namespace surefield
