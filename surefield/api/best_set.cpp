#include "surefield/api/best_set.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/algorithms/lazy_greedy.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {
namespace {

constexpr int kAnneals = 3;
constexpr double kManyGains = 2e6;  // of exchanges, and of annealing
constexpr std::size_t kMultipliers = 14;

/// One run: sets in the problem's variables, sizes in the user's.
class BestSet {
 public:
  BestSet(const Problem& problem, const BestSetOptions& options)
      : problem_(problem),
        options_(options),
        facts_(problem.model.facts()),
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
            " items must be in, more than the ", options.most.value_or(0),
            " that the set may hold");
    require(options.wanted_gap >= 0, "best set: the gap is ", options.wanted_gap,
            ", which must be >= 0");
  }

  BestSetResult operator()() {
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

 private:
  bool flipped(Index i) const { return !problem_.flips.empty() && problem_.flips[i] != 0; }
  bool is_in(const AnySet& set, Index i) const { return set.contains(i) != flipped(i); }
  Index size_of_set(const AnySet& set) const {
    Index count = 0;
    for (Index i = 0; i < set.size(); ++i) count += is_in(set, i);
    return count;
  }
  void put(AnySet& set, Index i, bool in) const { in != flipped(i) ? set.add(i) : set.remove(i); }
  /// What it adds to F that the user's item i is in.
  double gain(const AnySet& set, Index i) const { return flipped(i) ? -set.gain(i) : set.gain(i); }
  bool go_on() const { return !options_.budget.spent(); }
  bool closed() const {
    return best_.low() && best_.high() &&
           best_.high()->value - best_.low()->value <=
               options_.wanted_gap * std::max(1.0, std::abs(best_.low()->value));
  }

  /// Every item that must be in is, and no other of the user's.
  AnySet least() const {
    AnySet set = problem_.model.empty_set();
    for (Index i = 0; i < set.size(); ++i)
      problem_.box[i].is_point() ? (problem_.box.low[i] == 1 ? set.add(i) : set.remove(i))
                                 : put(set, i, false);
    return set;
  }

  void consider(AnySet set, std::string_view by) {
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

  /// Every open item to its better side until none gains.
  AnySet climbed(AnySet set) const {
    for (bool changed = true; changed && go_on();) {
      changed = false;
      for (const Index i : open_) {
        const double now = set.gain(i);
        if (!(std::abs(now) > 4 * facts_.gain_error) || (now > 0) == set.contains(i)) continue;
        now > 0 ? set.add(i) : set.remove(i);
        changed = true;
      }
    }
    return set;
  }

  AnySet rounded(const std::vector<double>& user_marginals) const {
    AnySet set = least();
    for (const Index i : open_) put(set, i, user_marginals[i] >= 0.5);
    return set;
  }

  void anneal() {
    const auto n = static_cast<double>(std::max<Index>(1, open_.size()));
    const auto sweeps = static_cast<std::size_t>(std::clamp(kManyGains / n, 5.0, 300.0));
    for (int run = 0; run < kAnneals && go_on(); ++run)
      consider(annealed_set(problem_.model.empty_set(), problem_.box,
                            {.sweeps = sweeps,
                             .seed = options_.seed + static_cast<std::uint64_t>(run),
                             .budget = options_.budget}),
               "annealing");
  }

  /// So large that n log 2 / beta is far below the gap wanted, and no number overflows.
  double beta() const {
    const double entropy = 0.7 * static_cast<double>(std::max<Index>(1, open_.size()));
    const double gap =
        std::max(options_.wanted_gap, 1e-9) / 8 * std::max(1.0, std::abs(result_.value));
    const double wanted = std::exp2(std::ceil(std::log2(entropy / gap)));
    const double most = std::exp2(std::floor(std::log2(1e250 / std::max(1.0, facts_.magnitude))));
    return std::clamp(wanted, 1.0, std::max(1.0, most));
  }

  /// An upper end: more + the maximum over all sets of the problem given, which is ours or has a price
  /// on items. The rounded mean field of it, where there is one.
  std::optional<AnySet> bound(const Problem& problem, double more, const Budget& budget,
                              bool certify) {
    const double beta = this->beta();
    const auto at_most = [&](double upper, const std::string& method, Basis basis) {
      const double value = upper / beta + more;  // beta is a power of two
      best_.at_most({value + gamma_of(4) * (std::abs(value) + std::abs(more)), method, basis});
    };
    if (facts_.estimated) {
      const LogZResult found = log_z(problem, {.goal = LogZGoal::kWidth,
                                               .inverse_temperature = beta,
                                               .width = std::max(1.0, beta * options_.wanted_gap),
                                               .budget = budget})
                                   .sound();
      if (found.upper) at_most(*found.upper, found.upper_method, found.basis);
      return std::nullopt;
    }
    InferOptions how{.inverse_temperature = beta, .seed = options_.seed, .budget = budget};
    how.wanted_gap = options_.wanted_gap / 2;
    if (certify) how.certify = std::min(budget.seconds_left(), 1e6);
    const Result found = infer(problem, how);
    if (found.status == Status::kFailed) throw Contradiction(found.notes.back());
    AnySet set = rounded(found.marginals);
    consider(options_.most ? set : climbed(set), "mean field, rounded");
    if (found.upper_bound) at_most(*found.upper_bound, found.upper_bound_method, found.basis);
    return set;
  }

  void of_any_size() {
    anneal();
    if (!found_) consider(least(), "the least set");
    if (go_on()) bound(problem_, 0, options_.budget.part(0.2), false);
    if (!closed() && go_on()) bound(problem_, 0, options_.budget, true);
  }

  /// Greedy from what must be in, then exchanges of one item for another.
  void within_size() {
    AnySet set = least();
    const Index room = *options_.most - in_at_least_;
    lazy_greedy(
        open_, room, [&](Index i) { return gain(set, i); }, [&](Index i) { put(set, i, true); },
        options_.budget);
    consider(set, "lazy greedy");
    exchange(std::move(set), "lazy greedy and exchanges");
    exchange(trimmed(annealed_set(problem_.model.empty_set(), problem_.box,
                                  {.seed = options_.seed, .budget = options_.budget})),
             "annealing, trimmed");
    promise();
    bisect();
  }

  /// Down to the size by letting go of what gives least, again and again.
  AnySet trimmed(AnySet set) const {
    const Index size = size_of_set(set);
    if (size <= *options_.most) return set;
    const auto steps = static_cast<double>(size - *options_.most);
    if (steps * static_cast<double>(size) > kManyGains) return least();
    for (Index left = size; left > *options_.most && go_on(); --left) {
      Index least_given = open_.front();
      double least_gain = kInfinity;
      for (const Index i : open_)
        if (is_in(set, i) && gain(set, i) < least_gain) least_given = i, least_gain = gain(set, i);
      put(set, least_given, false);
    }
    return set;
  }

  void exchange(AnySet set, std::string_view by) {
    const double passes = static_cast<double>(*options_.most) * static_cast<double>(open_.size());
    for (bool changed = passes <= kManyGains; changed && go_on();) {
      changed = false;
      for (const Index out : open_) {
        if (!is_in(set, out)) continue;
        const double lost = gain(set, out);
        put(set, out, false);
        Index best = out;
        double most = lost + 8 * facts_.gain_error;
        for (const Index in : open_)
          if (!is_in(set, in) && in != out && gain(set, in) > most) best = in, most = gain(set, in);
        if (best == out && lost < 0) {  // better without
          changed = true;
          continue;
        }
        put(set, best, true);
        changed = changed || best != out;
      }
    }
    consider(std::move(set), by);
  }

  /// The guarantee of greedy, where F is proved submodular and monotone.
  void promise() {
    if (!problem_.is_submodular() || facts_.submodularity != Submodularity::kProved ||
        !problem_.flips.empty() || static_cast<double>(open_.size()) > kManyGains)
      return;
    AnySet full = least();
    for (const Index i : open_) put(full, i, true);
    for (const Index i : open_)
      if (gain(full, i) < facts_.gain_error) return;
    result_.guarantee =
        "value - F(least set) >= (1 - 1/e) (optimum - F(least set)), by greedy on a monotone F";
  }

  /// The multiplier of the size: more than k items in the best set asks for a larger one.
  void bisect() {
    AnySet first = least();
    double low = 0, high = 0;
    for (const Index i : open_) high = std::max(high, gain(first, i) + facts_.gain_error);
    double mu = 0, best_mu = 0;
    for (std::size_t round = 0; round < kMultipliers && go_on() && !closed(); ++round) {
      const auto before = best_.high() ? best_.high()->value : kInfinity;
      const Index size = bound_with(mu, options_.budget.part(0.1), false);
      if (best_.high() && best_.high()->value < before) best_mu = mu;
      if (mu == 0 && size <= *options_.most) break;  // the size does not bind
      (size > *options_.most ? low : high) = mu;
      mu = (low + high) / 2;
    }
    if (!closed() && go_on()) bound_with(best_mu, options_.budget, true);
  }

  /// A bound by F(S) - mu (|S| - k); the size of the set that is best for that, or nearly.
  Index bound_with(double mu, const Budget& budget, bool certify) {
    Problem priced = problem_;
    double more = 0;
    if (mu > 0) {
      std::vector<double> price(problem_.size());
      Index base = 0;  // |S| = base + the sum of signs over the problem's items that are in
      for (Index i = 0; i < price.size(); ++i) {
        price[i] = flipped(i) ? mu : -mu;
        base += flipped(i);
      }
      priced.model = make_weighted_sum(
          problem_.size(), {{1, problem_.model}, {1, make_pairwise_field(std::move(price), {})}});
      more = mu * (static_cast<double>(*options_.most) - static_cast<double>(base));
    }
    if (auto set = bound(priced, more, budget, certify)) return size_of_set(*set);
    AnySet set = least();
    lazy_greedy(
        open_, open_.size(), [&](Index i) { return gain(set, i) - mu; },
        [&](Index i) { put(set, i, true); }, budget);
    const Index size = size_of_set(set);
    consider(std::move(set), "greedy with a price");
    return size;
  }

  void conclude() {
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

  const Problem& problem_;
  const BestSetOptions& options_;
  const Facts& facts_;
  Stopwatch watch_;
  AnySet set_;
  std::vector<Index> open_;
  Index in_at_least_ = 0;
  bool found_ = false;
  Claim best_{"max F"};
  BestSetResult result_;
};

}  // namespace

BestSetResult best_set(const Problem& problem, const BestSetOptions& options) {
  return BestSet(problem, options)();
}

}  // namespace surefield
