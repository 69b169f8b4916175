#include "surefield/api/run_algorithm.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/algorithms/continuous_double_greedy.hpp"
#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/frank_wolfe.hpp"
#include "surefield/api/named_rule.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/interaction.hpp"
#include "surefield/models/pairwise_field/tracked_set.hpp"
#include "surefield/objectives/elbo.hpp"
#include "surefield/objectives/elbo_error.hpp"

namespace surefield {
namespace {

// Beyond, to wake neighbours costs more than to visit all.
constexpr std::size_t kPairsAnItem = 64;
constexpr std::size_t kAnnealedSweeps = 500;  // of the start by an annealed set

/// All that one run needs to know. M is a family whose states are worth inlining, or AnyModel.
template <Model M>
class Run {
 public:
  Run(const M& model, const Problem& problem, const InferOptions& options, const Observer& observer)
      : model_(model),
        facts_(problem.model.facts().times(options.inverse_temperature)),
        submodular_(problem.is_submodular()),
        kind_(problem.kind),
        options_(options),
        observer_(observer),
        domain_(problem.box),
        box_(problem.box),
        interaction_(interaction(problem.model)),
        order_(make_order()),
        tolerance_(options.tolerance) {
    if (options.contract) contract_box();
  }

  Report operator()(const AlgorithmRow& algorithm) {
    switch (algorithm.id) {
      case Algorithm::kBest:
        return best();
      case Algorithm::kCoordinateAscent:
        return ascend(start());
      case Algorithm::kContinuous:
        return polished(continuous_double_greedy(at(), box_, options_.rounds, options_.budget),
                        algorithm);
      case Algorithm::kShrunkenFrankWolfe:
        return polished(
            options_.multilinear_direction
                ? shrunken_frank_wolfe(at(), box_, frank_wolfe(), observer_, MultilinearGradient{})
                : shrunken_frank_wolfe(at(), box_, frank_wolfe(), observer_),
            algorithm);
      case Algorithm::kTwoPhaseFrankWolfe:
        return polished(two_phase_frank_wolfe(at(), box_, frank_wolfe(), observer_), algorithm);
      default:
        return polished(pass(algorithm.id, pass_order()), algorithm);
    }
  }

 private:
  auto at() const {
    return [this](std::span<const double> x) {
      return Elbo(model_.at(x), options_.inverse_temperature);
    };
  }

  Order make_order() const {
    const Index n = model_.size();
    if (!options_.given_order.empty()) return Order::given(n, options_.given_order);
    const bool automatic = options_.order == "auto";
    if (options_.order == "coloured" ||
        (automatic && n >= kColouredItems && !neighbours().empty())) {
      require(!neighbours().empty(),
              "order: coloured needs a model whose terms are short, such as a pairwise field, but "
              "the model is ",
              kind_);
      return Order::coloured(n, colour_in_blocks(neighbours()));
    }
    if (automatic || options_.order == "natural") return Order::natural(n);
    require(options_.order == "shuffled", "order: '", options_.order,
            "' is not known; there are auto, natural, shuffled, coloured");
    return Order::shuffled(n, options_.seed);
  }

  std::vector<double> start() const {
    if (!options_.start_point.empty()) {
      require_inside(domain_, options_.start_point);
      std::vector<double> x = options_.start_point;
      for (Index i = 0; i < x.size(); ++i)
        x[i] = box_[i].clamp(x[i]);  // contraction cuts no optimum
      return x;
    }
    if (options_.start == "low") return box_.low;
    if (options_.start == "high") return box_.high;
    if (options_.start == "middle") return middle();
    require(options_.start == "random", "start: '", options_.start,
            "' is not known; there are low, high, middle, random");
    std::vector<double> x(box_.size());
    Random random(options_.seed);
    for (Index i = 0; i < x.size(); ++i)
      x[i] = box_[i].clamp(box_.low[i] + box_[i].width() * random.uniform());
    return x;
  }

  std::vector<double> middle() const {
    std::vector<double> x(box_.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = box_[i].clamp(box_.low[i] + box_[i].width() / 2);
    return x;
  }

  FrankWolfeOptions frank_wolfe() const {
    return {.epochs = options_.epochs_given ? options_.epochs : 60,
            .trace = options_.trace,
            .budget = options_.budget};
  }

  /// Cuts move outwards by what rounding can do to a slope, the difference of two values.
  void contract_box() {
    if (!submodular_) return;  // slopes need not fall: the cuts would prove nothing
    const Box domain = box_;
    Box inner = box_;
    const ContractionOptions contraction{.steps = model_.size() < kColouredItems ? 60U : 8U,
                                         .slack = contraction_slack(facts_.gain_error),
                                         .budget = options_.budget};
    if (contraction.slack < 1 && contract(at()(box_.low), domain, inner, contraction))
      box_ = std::move(inner);
  }

  Report pass(Algorithm id, std::span<const Index> order) {
    NamedRule rule{id, {}, options_.hint};
    if (options_.epsilon)
      rule.bisection = *options_.epsilon / static_cast<double>(std::max<Index>(1, model_.size()));
    std::vector<double> hint;
    if (id == Algorithm::kGuarded && options_.hint.empty()) {
      hint = coordinate_ascent(at()(middle()), box_, order_,
                               {.epochs = 5, .tolerance = 0, .budget = options_.budget})
                 .point;
      rule.hint = hint;
    }
    require(id != Algorithm::kGuarded || rule.hint.size() == model_.size(),
            "guarded: the hint has ", rule.hint.size(), " coordinates, but there are ",
            model_.size());
    auto result = double_greedy(at()(box_.low), at()(box_.high), order, rule, options_.trace,
                                pass_rounding(facts_, model_.size()), options_.budget);
    if (!result.antitone && submodular_ && !facts_.estimated)
      throw Contradiction(
          "F is taken to be submodular, but a gain rose on the way from the bottom of the box to "
          "its "
          "top; nothing is certified");
    Report report = std::move(result.report);
    if (!submodular_) report.upper_bound.reset();  // the losses of a pass bound nothing then
    if (observer_) {
      for (auto& now : report.trace) observer_(now);
      TracePoint now{1, report.value, 0};
      if (!observer_(now)) report.status = Status::kInterrupted;
      if (!report.trace.empty()) report.trace.back().seconds = now.seconds;
    }
    return report;
  }

  /// Who depends on whom, where an order by colours or a large model asks for it.
  Neighbours neighbours() const {
    if constexpr (std::is_same_v<M, PairwiseField>) return model_.neighbours();
    return interaction_ ? interaction_->neighbours() : Neighbours{};
  }

  std::optional<Interaction> interaction(const AnyModel& model) const {
    if (std::is_same_v<M, PairwiseField>) return std::nullopt;
    if (options_.order != "coloured" && model.size() < kColouredItems) return std::nullopt;
    return interaction_of(model, kPairsAnItem * model.size());
  }

  CoordinateAscentOptions ascent() const {
    return {.epochs = options_.epochs,
            .tolerance = tolerance_,
            .trace = options_.trace,
            .budget = options_.budget,
            .neighbours = neighbours(),
            .known = known_point_,
            .known_value = known_value_};
  }

  Report ascend(const std::vector<double>& from) {
    return coordinate_ascent(at()(from), box_, order_, ascent(), observer_);
  }

  /// The order of a pass. Classes of a colouring weaken its bound, so an order by itself is natural.
  std::vector<Index> pass_order() {
    if (options_.order == "auto" && options_.given_order.empty())
      return natural_order(model_.size());
    const auto list = order_.epoch(0);
    return {list.begin(), list.end()};
  }

  /// Coordinate ascent from where the first algorithm ended, counted and traced as one run.
  Report polished(Report first, const AlgorithmRow& algorithm) {
    if (!(algorithm.polished || options_.polish) || first.status == Status::kInterrupted)
      return first;
    CoordinateAscentOptions options = ascent();
    options.first_epoch = static_cast<std::size_t>(first.epochs);
    const double done = first.epochs;
    const Observer shifted = [&](TracePoint& now) {
      now.epoch += done;
      return !observer_ || observer_(now);
    };
    Report second = coordinate_ascent(at()(first.point), box_, order_, options, shifted);
    second.trace.insert(second.trace.begin(), first.trace.begin(), first.trace.end());
    second.epochs += done;
    second.upper_bound = first.upper_bound;
    return second;
  }

  /// The best of several starts, each continued by coordinate ascent, and the least bound of all
  /// passes. Of a large model each start goes as far as to tell which is best, and that one to the end.
  Report best() {
    const bool large = model_.size() >= kColouredItems;
    if (large) tolerance_ = std::max(kStartsToldApart, options_.tolerance);
    Report best = best_of_starts(large);
    const bool go_on = best.status != Status::kInterrupted && tolerance_ > options_.tolerance;
    tolerance_ = options_.tolerance;
    return go_on ? polished(std::move(best), algorithm_named("coordinate-ascent")) : best;
  }

  Report best_of_starts(bool large) {
    const bool estimated = facts_.estimated;
    if (!estimated) contract_box();
    const AlgorithmRow& polish = algorithm_named("coordinate-ascent");
    auto order = pass_order();
    const auto starting = [&](std::string_view what) {
      if (options_.start_watcher) options_.start_watcher(what);
    };
    starting("double greedy, first item first");
    Report best = polished(pass(Algorithm::kEqualised, order), polish);
    tell(best);
    if (estimated || best.status == Status::kInterrupted || options_.budget.spent()) return best;
    remember(best, large);
    const auto consider = [&](Report other) {
      keep_better(best, std::move(other));
      remember(best, large);
      tell(best);
      return best.status != Status::kInterrupted && !is_closed(best);
    };
    if (is_closed(best)) return best;
    std::reverse(order.begin(), order.end());
    starting("double greedy, last item first");
    if (!consider(polished(pass(Algorithm::kEqualised, order), polish))) return best;
    if (!large) {
      starting("double greedy, all items at once");
      if (!consider(polished(continuous_double_greedy(at(), box_, 64, options_.budget), polish)))
        return best;
    }
    std::vector<std::pair<std::string_view, std::vector<double>>> starts;
    if (!options_.start_point.empty()) starts.emplace_back("ascent from the point given", start());
    if (!large) {
      starts.emplace_back("ascent from the bottom", box_.low);
      starts.emplace_back("ascent from the top", box_.high);
    }
    starts.emplace_back("ascent from the middle", middle());
    if constexpr (std::is_same_v<M, PairwiseField>)
      if (!large) starts.emplace_back("ascent from an annealed set", annealed());
    for (const auto& [name, from] : starts) {
      starting(name);
      if (!consider(ascend(from))) break;
    }
    return best;
  }

  /// Starts of a large model are only told apart, so none of them is at its optimum.
  void remember(const Report& best, bool large) {
    if (large || best.status != Status::kConverged) return;
    known_point_ = best.point, known_value_ = best.value;
  }

  /// What the best start so far proves; nothing where values are estimates.
  void tell(const Report& best) const {
    if (!options_.watcher || facts_.estimated || !std::isfinite(best.value)) return;
    options_.watcher({.low = best.value - elbo_error(facts_, model_.size(), best.value),
                      .high = best.upper_bound,
                      .by = "passes of double greedy"});
  }

  /// A set found by annealing, as a point. Where couplings are strong, ascents one by one get stuck far
  /// below it.
  std::vector<double> annealed() const {
    return corner_of(
        annealed_set(TrackedSet(model_), box_,
                     {.sweeps = kAnnealedSweeps, .seed = options_.seed, .budget = options_.budget}),
        box_);
  }

  const M& model_;
  Facts facts_;  // of beta F
  bool submodular_;
  std::string kind_;
  const InferOptions& options_;
  const Observer& observer_;
  const Box& domain_;
  Box box_;  // contracted, or the domain
  std::optional<Interaction> interaction_;
  Order order_;
  double tolerance_;                 // of ascents
  std::vector<double> known_point_;  // of the best start so far: others need not come to it again
  double known_value_ = 0;
};

}  // namespace

Report run_algorithm(const Problem& problem, const InferOptions& options,
                     const AlgorithmRow& algorithm, const Observer& observer) {
  const auto run = [&](const auto& model) {
    return Run(model, problem, options, observer)(algorithm);
  };
  if (const auto* field = problem.model.as<PairwiseField>()) return run(*field);
  if (const auto* cut = problem.model.as<GraphCut>()) return run(cut->field);
  if (const auto* flid = problem.model.as<Flid>()) return run(flid->facility);
  if (const auto* facility = problem.model.as<FacilityLocation>()) return run(*facility);
  return run(problem.model);
}

void keep_better(Report& best, Report other) {
  if (other.upper_bound && best.upper_bound)
    best.upper_bound = std::min(*best.upper_bound, *other.upper_bound);
  const auto bound = best.upper_bound;
  if (other.value > best.value) best = std::move(other);
  best.upper_bound = bound;
}

bool is_closed(const Report& report) {
  return report.upper_bound &&
         *report.upper_bound - report.value <= 1e-9 * std::max(1.0, std::abs(report.value));
}

}  // namespace surefield
