// What a run of problems comes to: how much was asked, and what went wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace surefield::torture {

struct Wrong {
  std::uint64_t seed;
  std::string what;
};

struct Tally {
  std::map<std::string, std::uint64_t> problems;  ///< by family
  std::map<std::string, std::uint64_t> calls;     ///< by function
  std::map<std::string, double> seconds;          ///< of the calls
  std::uint64_t bounds = 0;                       ///< compared with the truth or with each other
  std::uint64_t refused_models = 0;               ///< by make_..., make_problem
  std::uint64_t refused_calls = 0;                ///< Error of a call: it does not apply
  std::uint64_t nothing_claimed = 0;  ///< an end is open: beyond a double, or no method applies
  std::uint64_t assumed_wrong = 0;  ///< not submodular, unseen, and a bound that assumes it is off
  std::uint64_t refuted = 0;        ///< not submodular, and a run that assumed it says so
  double widest = 0;                ///< relative, of a value called exact
  double nearest = -1e300;          ///< how much of the truth's own error was used up: at most 1
  double slowest = 0;               ///< call, in seconds
  std::vector<Wrong> wrong;

  void add(const Tally& other) {
    for (const auto& [name, count] : other.problems) problems[name] += count;
    for (const auto& [name, count] : other.calls) calls[name] += count;
    for (const auto& [name, count] : other.seconds) seconds[name] += count;
    bounds += other.bounds;
    refused_models += other.refused_models;
    refused_calls += other.refused_calls;
    nothing_claimed += other.nothing_claimed;
    assumed_wrong += other.assumed_wrong;
    refuted += other.refuted;
    widest = std::max(widest, other.widest);
    nearest = std::max(nearest, other.nearest);
    slowest = std::max(slowest, other.slowest);
    wrong.insert(wrong.end(), other.wrong.begin(), other.wrong.end());
  }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const auto& [name, number] : problems) sum += number;
    return sum;
  }
};

}  // namespace surefield::torture
