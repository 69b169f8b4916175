#include "surefield/api/best_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/api/best_set_run.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/bounds/best_set/threshold_bound.hpp"
#include "surefield/bounds/best_set/whole_values.hpp"
#include "surefield/bounds/elbo/field_of_terms.hpp"
#include "surefield/bounds/spectral/spectral_root.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/models/pairwise_field/tracked_set.hpp"

namespace surefield {
namespace {

constexpr int kAnneals = 3;
constexpr Index kFewForAnnealing = 20;  // items: three short runs find what there is
constexpr int kLongAnneals = 12;        // each with half as many sweeps again as the one before
constexpr std::size_t kSideDraws = 30;  // sets on one side of a random plane

}  // namespace

BestSetRun::BestSetRun(const Problem& problem, const BestSetOptions& options)
    : problem_(problem),
      options_(options),
      facts_(problem.model.facts()),
      whole_(has_whole_values(problem.model)),
      field_(field_of_terms(problem.model)),
      set_(problem.model.empty_set()) {
  for (Index i = 0; i < problem.box.size(); ++i) {
    require(is_of_sets(problem.box[i]), "best set: item ", i, " is bounded to [",
            problem.box.low[i], ", ", problem.box.high[i],
            "]; only in, out or free has a meaning for sets");
    if (problem.box[i].is_point())
      in_at_least_ += flipped(i) != (problem.box.low[i] == 1);
    else
      open_.push_back(i);
  }
  require(!options.most || *options.most >= in_at_least_, "best set: ", in_at_least_,
          " items must be in, more than the ", options.most.value_or(0), " that the set may hold");
  require(options.wanted_gap >= 0, "best set: the gap is ", options.wanted_gap,
          ", which must be >= 0");
}

BestSetResult BestSetRun::operator()() {
  result_.model_kind = problem_.kind;
  result_.names = problem_.items;
  result_.most = options_.most;
  result_.seed = options_.seed;
  result_.guarantee = "none";
  try {
    options_.most ? within_size() : of_any_size();
    conclude();
  } catch (const Contradiction& contradiction) {
    result_.status = Status::kFailed;
    result_.upper.reset();
    result_.notes.push_back(contradiction.what());
  }
  result_.seconds = watch_.seconds();
  return std::move(result_);
}

Index BestSetRun::size_of_set(const AnySet& set) const {
  Index count = 0;
  for (Index i = 0; i < set.size(); ++i) count += is_in(set, i);
  return count;
}

bool BestSetRun::closed() const {
  return best_.low() && best_.high() &&
         best_.high()->value - best_.low()->value <=
             options_.wanted_gap * std::max(1.0, std::abs(best_.low()->value));
}

AnySet BestSetRun::least() const {
  AnySet set = problem_.model.empty_set();
  for (Index i = 0; i < set.size(); ++i)
    problem_.box[i].is_point() ? (problem_.box.low[i] == 1 ? set.add(i) : set.remove(i))
                               : put(set, i, false);
  return set;
}

void BestSetRun::consider(AnySet set, std::string_view by) {
  if (options_.most && size_of_set(set) > *options_.most) return;
  std::vector<std::uint8_t> chosen(set.size());
  for (Index i = 0; i < set.size(); ++i) chosen[i] = set.contains(i);
  const double value = problem_.model.evaluate(chosen);
  if (!std::isfinite(value) || (found_ && value <= result_.value)) return;
  found_ = true;
  set_ = std::move(set);
  result_.value = value;
  result_.lower = value - facts_.value_error;
  result_.found_by = by;
  best_.at_least({result_.lower, std::string(by), facts_.value_basis()});
}

void BestSetRun::at_most(End end) {
  if (whole_ && std::isfinite(end.value)) {
    // What is within an error of a whole number and not above the end is not above the whole number below it.
    const double error = facts_.value_error;
    const double below = std::floor(end.value + error) + error;
    if (below < end.value)
      end = {below, end.method + ", rounded down to a whole number", end.basis};
  }
  best_.at_most(std::move(end));
}

AnySet BestSetRun::climbed(AnySet set) const {
  return climbed_set(std::move(set), open_, 4 * facts_.gain_error,
                     std::numeric_limits<std::size_t>::max(), options_.budget);
}

AnySet BestSetRun::rounded(const std::vector<double>& user_marginals) const {
  AnySet set = least();
  for (const Index i : open_) put(set, i, user_marginals[i] >= 0.5);
  return set;
}

AnySet BestSetRun::annealed(std::size_t sweeps, int run, const Budget& budget) const {
  const AnnealedSetOptions how{
      .sweeps = sweeps, .seed = options_.seed + static_cast<std::uint64_t>(run), .budget = budget};
  AnySet set = problem_.model.empty_set();
  if (!field_) return annealed_set(std::move(set), problem_.box, how);
  // Of a field the gains are kept, where a set of the model would add them up each time.
  const TrackedSet found = annealed_set(TrackedSet(*field_), problem_.box, how);
  for (Index i = 0; i < found.size(); ++i)
    if (found.contains(i)) set.add(i);
  return set;
}

void BestSetRun::anneal() {
  const auto n = static_cast<double>(std::max<Index>(1, open_.size()));
  const auto sweeps = static_cast<std::size_t>(std::clamp(kManyGains / n, 5.0, 300.0));
  for (int run = 0; run < kAnneals && go_on(); ++run)
    consider(annealed(sweeps, run, options_.budget), "annealing");
}

void BestSetRun::anneal_on(const Budget& budget) {
  if (open_.size() <= kFewForAnnealing) return;
  auto sweeps = static_cast<double>(kManyGains) / static_cast<double>(open_.size());
  for (int run = 0; run < kLongAnneals && !budget.spent() && !closed(); ++run, sweeps *= 1.5)
    consider(climbed(annealed(static_cast<std::size_t>(sweeps) + 1, kAnneals + run, budget)),
             "annealing");
}

double BestSetRun::beta() const {
  const double entropy = 0.7 * static_cast<double>(std::max<Index>(1, open_.size()));
  const double gap =
      std::max(options_.wanted_gap, 1e-9) / 8 * std::max(1.0, std::abs(result_.value));
  const double wanted = std::exp2(std::ceil(std::log2(entropy / gap)));
  const double most = std::exp2(std::floor(std::log2(1e250 / std::max(1.0, facts_.magnitude))));
  return std::clamp(wanted, 1.0, std::max(1.0, most));
}

std::optional<AnySet> BestSetRun::bound(const Problem& problem, double more, const Budget& budget,
                                        bool certify) {
  const double beta = this->beta();
  const auto bounded = [&](double upper, const std::string& method, Basis basis) {
    const double value = upper / beta + more;  // beta is a power of two
    at_most({value + gamma_of(4) * (std::abs(value) + std::abs(more)), method, basis});
  };
  if (facts_.estimated) {
    const LogZResult found = log_z(problem, {.goal = LogZGoal::kWidth,
                                             .inverse_temperature = beta,
                                             .width = std::max(1.0, beta * options_.wanted_gap),
                                             .budget = budget})
                                 .sound();
    if (found.upper) bounded(*found.upper, found.upper_method, found.basis);
    return std::nullopt;
  }
  InferOptions how{.inverse_temperature = beta, .seed = options_.seed, .budget = budget};
  how.wanted_gap = options_.wanted_gap / 2;
  if (certify) how.certify = std::min(budget.seconds_left(), 1e6);
  const Result found = infer(problem, how);
  if (found.status == Status::kFailed) throw Contradiction(found.notes.back());
  AnySet set = rounded(found.marginals);
  consider(options_.most ? set : climbed(set), "mean field, rounded");
  if (found.upper_bound) bounded(*found.upper_bound, found.upper_bound_method, found.basis);
  return set;
}

AnySet BestSetRun::worth_most(std::span<const double> worth) const {
  std::vector<Index> chosen;
  for (const Index i : open_)
    if (worth[i] > 0) chosen.push_back(i);
  const Index room = options_.most ? *options_.most - in_at_least_ : open_.size();
  if (chosen.size() > room) {
    std::ranges::nth_element(chosen, chosen.begin() + static_cast<std::ptrdiff_t>(room),
                             [&](Index a, Index b) { return worth[a] > worth[b]; });
    chosen.resize(room);
  }
  AnySet set = least();
  for (const Index i : chosen) set.add(i);
  return set;
}

void BestSetRun::bound_by_thresholds(const Budget& budget) {
  if (facts_.estimated || !problem_.flips.empty() || closed() || !go_on()) return;
  const auto terms = threshold_terms(problem_.model);
  if (!terms) return;
  std::size_t fallen = 0;
  const ThresholdObserver look = [&](std::span<const double> worth) {
    if (!std::has_single_bit(++fallen)) return result_.value;
    AnySet set = worth_most(worth);
    consider(options_.most ? std::move(set) : climbed(std::move(set)), "thresholds");
    return result_.value;
  };
  const double upper = threshold_bound(*terms, problem_.box,
                                       {.most = options_.most,
                                        .best_known = found_ ? result_.value : -kInfinity,
                                        .wanted_gap = options_.wanted_gap,
                                        .budget = budget},
                                       look);
  // The numbers of the terms differ from those of the model by no more than its values can.
  if (std::isfinite(upper))
    at_most({upper + facts_.value_error, "thresholds", facts_.value_basis()});
}

void BestSetRun::bound_by_spectrum(const Budget& budget) {
  if (open_.size() <= kNewtonItems || closed() || !go_on()) return;
  if (!field_) return;
  try {
    const Quadratic quadratic = free_quadratic(*field_, problem_.box, false);
    const SpectralRoot root =
        spectral_root(quadratic, SpectralKind::kBestSet, {.draws = kSideDraws, .budget = budget});
    for (const std::vector<double>& draw : root.draws) {
      if (!go_on()) break;
      AnySet set = least();
      for (Index k = 0; k < quadratic.item.size(); ++k)
        draw[k] >= 0.5 ? set.add(quadratic.item[k]) : set.remove(quadratic.item[k]);
      consider(climbed(std::move(set)), "sides of random planes");
    }
    if (std::isfinite(root.bound))
      at_most({root.bound + facts_.value_error, "spectral bound", facts_.value_basis()});
  } catch (const TooMuch&) {  // the other bounds are all there is
  }
}

void BestSetRun::of_any_size() {
  anneal();
  if (!found_) consider(least(), "the least set");
  bound_by_thresholds(options_.budget.part(0.3));
  bound_by_spectrum(options_.budget.part(0.5));
  if (!closed() && go_on()) bound(problem_, 0, options_.budget.part(0.2), false);
  anneal_on(options_.budget.part(0.7));
  if (!closed() && go_on()) bound(problem_, 0, options_.budget, true);
}

void BestSetRun::conclude() {
  require(found_, "best set: no set has a finite value");
  for (Index i = 0; i < problem_.size(); ++i)
    if (is_in(set_, i)) result_.items.push_back(i);
  if (best_.high()) {
    result_.upper = best_.high()->value;
    result_.upper_method = best_.high()->method;
    result_.basis = best_.basis();
  }
  if (closed()) return;
  result_.status = options_.budget.stopped() ? Status::kInterrupted : Status::kShort;
}

BestSetResult best_set(const Problem& problem, const BestSetOptions& options) {
  return BestSetRun(problem, options)();
}

}  // namespace surefield
