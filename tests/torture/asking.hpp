// How a problem is asked: every call timed and caught, every number held to the truth.
#pragma once

#include <cmath>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "surefield/api/problem.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/result.hpp"
#include "tests/torture/problems.hpp"
#include "tests/torture/tally.hpp"
#include "tests/torture/truth.hpp"

namespace surefield::torture {

inline constexpr double kSecondsGiven = 1, kSecondsMost = 3;

/// Of this thread: that others keep the machine busy is no hang.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Asking {
 protected:
  Asking(const TortureProblem& problem, Tally& tally)
      : given_(problem), tally_(tally), random_(problem.seed ^ 0xc0ffee) {}

  void wrong(const std::string& what) {
    tally_.wrong.push_back({given_.seed, given_.family + ": " + what});
  }

  /// The answer, or nothing where the call does not apply. Anything but Error is wrong, and so is
  /// more time than three times what was given.
  template <class Call>
  auto asked(const std::string& name, Call&& call)
      -> std::optional<decltype(call(std::declval<Budget>()))> {
    const double start = processor_seconds();
    std::optional<decltype(call(std::declval<Budget>()))> answer;
    try {
      answer.emplace(call(Budget().within(kSecondsGiven)));
    } catch (const Contradiction& contradiction) {
      if (assumption_fails_)
        ++tally_.refuted;
      else
        wrong(name + ": " + contradiction.what());
    } catch (const Error&) {
      ++tally_.refused_calls;
    } catch (const std::exception& error) {
      wrong(name + ": an exception that is no Error: " + error.what());
    }
    const double seconds = processor_seconds() - start;
    ++tally_.calls[name];
    tally_.seconds[name] += seconds;
    tally_.slowest = std::max(tally_.slowest, seconds);
    if (seconds > kSecondsMost) wrong(message(name, ": it took ", seconds, " seconds"));
    return answer;
  }

  std::optional<Problem> ready(const AnyModel& model, const Box& box) {
    try {
      return make_problem(model, {}, box, {.no_guarantee = true});
    } catch (const Error&) {
      ++tally_.refused_models;
      return std::nullopt;
    }
  }

  /// Whether numbers of the run may be beyond a double.
  bool beyond(const Problem& problem) const {
    const Facts facts = problem.model.facts().times(given_.beta);
    constexpr double kAlmost = 1e300;
    return !(facts.magnitude < kAlmost && problem.model.facts().magnitude < kAlmost &&
             facts.gain_error_sum < kAlmost && facts.value_error < kAlmost);
  }

  static std::string notes_of(const Result& result) {
    std::string text = "failed";
    for (const auto& note : result.notes) text += "; " + note;
    return text;
  }

  /// Whether `low` <= `high`, where one of them is true but for `off`.
  bool holds(long double low, long double high, long double off) {
    ++tally_.bounds;
    const long double excess = low - high;
    if (off > 0 && !assumption_fails_)
      tally_.nearest = std::max(tally_.nearest, static_cast<double>(excess / off));
    return excess <= off;
  }
  void at_most(double bound, long double truth, long double off, const std::string& what,
               bool rests = false) {
    if (std::isnan(bound)) return wrong(what + " is not a number");
    if (!holds(truth, bound, off)) off_bound(what, "<", bound, truth, rests);
  }
  void at_least(double bound, long double truth, long double off, const std::string& what,
                bool rests = false) {
    if (std::isnan(bound)) return wrong(what + " is not a number");
    if (!holds(bound, truth, off)) off_bound(what, ">", bound, truth, rests);
  }
  void off_bound(const std::string& what, std::string_view sign, double bound, long double truth,
                 bool rests) {
    if (rests && assumption_fails_) {
      ++tally_.assumed_wrong;
      return;
    }
    wrong(message(what, " ", bound, " ", sign, " the truth ", static_cast<double>(truth), " by ",
                  static_cast<double>(std::abs(bound - truth)), "; n = ", given_.model.size(),
                  ", beta = ", given_.beta));
  }

  const TortureProblem& given_;
  Tally& tally_;
  Random random_;
  std::optional<Truth> truth_;
  bool assumption_fails_ = false;  // F is not submodular, and nothing says so
};

}  // namespace surefield::torture
