// The front door of inference: a problem and an algorithm by name in, a Result out.
//
// Types are erased here, once a run: the model is visited, the algorithm runs on its own state
// type, and the value reported is recomputed from a state built afresh at the point returned. A
// difference above 1e-6 relative, and above what rounding can do to both, is Status::kFailed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/bounds_now.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/result.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

struct InferOptions {
  std::string algorithm = "best";
  double inverse_temperature = 1;
  std::size_t epochs = 10000;  ///< at most, of coordinate ascent or Frank-Wolfe (60 for the latter)
  bool epochs_given = false;   ///< whether `epochs` was asked for, or is the default
  double tolerance = 1e-10;    ///< coordinate ascent has converged when nothing moves by more
  /// natural; shuffled (by the seed); coloured (sparse fields: by classes that do not interact);
  /// auto is coloured for large fields, natural otherwise.
  std::string order = "auto";
  std::vector<std::vector<Index>> given_order = {};  ///< one list an epoch, instead of `order`
  std::string start = "low";  ///< of coordinate ascent: low, high, middle, random, in the box
  std::vector<double> start_point = {};  ///< in the box, instead of `start`; one more for `best`
  std::vector<double> hint = {};         ///< of guarded double greedy; empty: five sweeps make one
  std::optional<double> epsilon = {};    ///< of BSCB: bisect to epsilon / n; empty: to rounding
  std::size_t rounds = 64;               ///< of continuous double greedy
  bool polish = false;                   ///< continue a one-pass algorithm by coordinate ascent
  bool contract = false;                 ///< cut the box to what can hold an optimum first
  bool multilinear_direction = false;    ///< of shrunken Frank-Wolfe: leave out the entropy
  std::uint64_t seed = 1;
  bool trace = false;
  std::optional<double> certify = {};  ///< seconds to spend on proving the optimum afterwards
  bool quick_proof = true;             ///< of `best`: also the bound that about its own cost buys
  double wanted_gap = 1e-6;            ///< relative; certification stops there
  std::size_t effort = 100000;         ///< boxes of certification, at most
  /// Once spent, the best point so far; the answer does not depend on its threads.
  Budget budget = {};
  Helpers* helpers =
      nullptr;  ///< of the certificate (api/helping.hpp); the answer does not depend on them
  Observer observer = {};      ///< called after every epoch; returns whether to go on
  BoundsWatcher watcher = {};  ///< of the best ELBO, from both sides
  /// Of best: told before each of its starts what it is; the epochs that follow are its own.
  std::function<void(std::string_view)> start_watcher = {};
};

/// Throws Error for numbers out of range.
void require_valid(const InferOptions& options);

/// What is promised, in words, for the run that was made of a model with these facts.
std::string guarantee_of(const Facts& facts, const std::string& violation,
                         const InferOptions& options, Status status);

/// The product distribution that approximates p(S) ~ exp(beta F(S)) best on the problem's box, as
/// far as the algorithm gets.
Result infer(const Problem& problem, const InferOptions& options);

}  // namespace surefield
