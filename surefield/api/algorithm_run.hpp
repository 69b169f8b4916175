// What every algorithm on the ELBO of one model is made of: where to start, the order, the box cut to what can hold an optimum, a pass of double
// greedy, coordinate ascent, and one after the other.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/named_rule.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/interaction.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

/// M is a family whose states are worth inlining, or AnyModel.
template <Model M>
class AlgorithmRun {
 public:
  // Beyond, to wake neighbours costs more than to visit all.
  static constexpr std::size_t kPairsAnItem = 64;

  AlgorithmRun(const M& model, const Problem& problem, const InferOptions& options,
               const Observer& observer)
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

  const M& model() const { return model_; }
  const Facts& facts() const { return facts_; }  // of beta F
  const InferOptions& options() const { return options_; }
  const Box& box() const { return box_; }  // contracted, or the domain

  /// The objective at a point.
  auto at() const {
    return [this](std::span<const double> x) {
      return Elbo(model_.at(x), options_.inverse_temperature);
    };
  }

  /// As the options say.
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

  /// Of ascents from here on.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  /// Where an ascent has ended: others need not come to it again.
  void remember(std::vector<double> point, double value) {
    known_point_ = std::move(point), known_value_ = value;
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

  /// One pass of double greedy; its bound only where F is submodular.
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

  /// Coordinate ascent from where the first algorithm ended, where that is wanted, counted and traced as one run.
  Report polished(Report first, bool wanted = true) {
    if (!wanted || first.status == Status::kInterrupted) return first;
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

 private:
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

  const M& model_;
  Facts facts_;
  bool submodular_;
  std::string kind_;
  const InferOptions& options_;
  const Observer& observer_;
  const Box& domain_;
  Box box_;
  std::optional<Interaction> interaction_;
  Order order_;
  double tolerance_;
  std::vector<double> known_point_;
  double known_value_ = 0;
};

}  // namespace surefield
