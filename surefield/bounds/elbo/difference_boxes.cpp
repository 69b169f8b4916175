#include "surefield/bounds/elbo/difference_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

/// A linear function that lies below B on a box: `start` at its bottom, and a slope an item.
struct LineBelow {
  double start = 0;
  std::vector<double> slope, bottom;
  double magnitude = 0;  // of all its numbers
};

/// A less a line.
class Tilted {
 public:
  Tilted(AnyState state, std::shared_ptr<const LineBelow> line)
      : state_(std::move(state)), line_(std::move(line)) {}

  Index size() const { return state_.size(); }
  double coordinate(Index i) const { return state_.coordinate(i); }
  double partial(Index i) const { return state_.partial(i) - line_->slope[i]; }
  void gradient(std::span<double> out) const {
    state_.gradient(out);
    for (Index i = 0; i < size(); ++i) out[i] -= line_->slope[i];
  }
  double value() const {
    double value = state_.value() - line_->start;
    for (Index i = 0; i < size(); ++i)
      value -= line_->slope[i] * (coordinate(i) - line_->bottom[i]);
    return value;
  }
  void set(Index i, double v) { state_.set(i, v); }

 private:
  AnyState state_;
  std::shared_ptr<const LineBelow> line_;
};

/// What visits of one search share.
class DifferenceVisit {
 public:
  DifferenceVisit(const AnyModel& model, const SubmodularDifference& parts, double beta,
                  const Box& domain, const BranchAndBoundOptions& options)
      : model_(model),
        added_(parts.added),
        taken_(*parts.taken),
        beta_(beta),
        domain_(domain),
        options_(options) {
    // Slopes are differences: partials of the domain lie between those of its corners.
    double most = 0;
    for (const AnyModel* part : {&added_, &taken_})
      for (const std::vector<double>* corner : {&domain_.low, &domain_.high})
        for (const double slope : gradient_of(part->at(*corner)))
          most = std::max(most, std::abs(beta_ * slope));
    const double by_differences = 8 * kUnitRoundoff * most;
    options_.rounding.slope += by_differences;
    options_.rounding.lines += static_cast<double>(domain_.size()) * by_differences;
  }

  void operator()(BoxVisit<NoParent>& seen, const BoxRoundNow& now) const {
    const Index n = domain_.size();
    Box& box = seen.node.box;
    seen.where = n;
    Slopes slopes;
    if (!contract(box, slopes, now.budget)) {
      seen.alive = false;
      return;
    }
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i)
      x[i] = EntropyLine(slopes.least[i] / 2 + slopes.most[i] / 2).argmax(box[i]);
    seen.node.bound = std::min(seen.node.bound, bound(box, x));
    if (seen.number % 8 == 1)
      seen.polished = coordinate_ascent(Elbo(model_.at(x), beta_), domain_, Order::natural(n),
                                        {.epochs = 200, .tolerance = 1e-9, .budget = now.budget});
    double widest = -1;
    for (Index i = 0; i < n; ++i) {
      const double width = box[i].width();
      const double fall = width * (slopes.most[i] - slopes.least[i]);
      if (width > 1e-9 && fall > widest) seen.where = i, widest = fall;
    }
  }

 private:
  static constexpr int kContractions = 20;

  /// Of beta F along every coordinate, on a box.
  struct Slopes {
    std::vector<double> least, most;
  };

  static std::vector<double> gradient_of(const AnyState& state) {
    std::vector<double> out(state.size());
    state.gradient(out);
    return out;
  }

  Slopes slopes_of(const Box& box) const {
    const auto added_low = gradient_of(added_.at(box.low)),
               added_high = gradient_of(added_.at(box.high));
    const auto taken_low = gradient_of(taken_.at(box.low)),
               taken_high = gradient_of(taken_.at(box.high));
    const Index n = box.size();
    Slopes slopes{std::vector<double>(n), std::vector<double>(n)};
    for (Index i = 0; i < n; ++i) {
      slopes.least[i] = beta_ * (added_high[i] - taken_low[i]);
      slopes.most[i] = beta_ * (added_low[i] - taken_high[i]);
    }
    return slopes;
  }

  /// As contract() (contraction.hpp), by the slopes of a difference: false if the box holds no best point. `slopes` are those of a box that
  /// holds what is left.
  bool contract(Box& box, Slopes& slopes, const Budget& budget) const {
    const ContractionOptions how = detail::contraction_of(options_, budget);
    slopes = slopes_of(box);
    if (!(how.slack < 1)) return true;
    for (int step = 0; step < kContractions && !budget.spent(); ++step) {
      double moved = 0;
      for (Index i = 0; i < box.size(); ++i) {
        if (!detail::cut_from_above(i, EntropyLine(slopes.most[i]).argmax(domain_[i]), box,
                                    how.slack, moved) ||
            !detail::cut_from_below(i, EntropyLine(slopes.least[i]).argmax(domain_[i]), box,
                                    how.slack, moved))
          return false;
      }
      if (moved <= 1e-3) break;
      slopes = slopes_of(box);
    }
    return true;
  }

  /// Below B, the piece of Lovasz' extension at x.
  LineBelow line_below(const Box& box, std::span<const double> x) const {
    const Index n = box.size();
    std::vector<double> height(n, 0);
    for (Index i = 0; i < n; ++i)
      if (box[i].width() > 0) height[i] = (x[i] - box.low[i]) / box[i].width();
    std::vector<Index> order = natural_order(n);
    std::ranges::stable_sort(order, std::greater<>(), [&](Index i) { return height[i]; });
    AnyState state = taken_.at(box.low);
    LineBelow line{
        .start = state.value(), .slope = std::vector<double>(n), .bottom = box.low, .magnitude = 0};
    line.magnitude = std::abs(line.start);
    for (const Index i : order) {
      line.slope[i] = state.partial(i);
      line.magnitude += std::abs(line.slope[i]) * box[i].width();
      if (box[i].width() > 0) state.set(i, box.high[i]);
    }
    return line;
  }

  double bound(const Box& box, std::span<const double> x) const {
    const auto line = std::make_shared<const LineBelow>(line_below(box, x));
    const Elbo bottom(Tilted(added_.at(box.low), line), beta_);
    const Elbo top(Tilted(added_.at(box.high), line), beta_);
    PassRounding rounding = options_.rounding;
    rounding.value += rounding.lines;  // the slopes of the line
    rounding.value += gamma_of(32 + 2 * static_cast<double>(box.size())) *
                      (beta_ * line->magnitude + std::abs(bottom.value()) + std::abs(top.value()));
    return detail::node_bound(bottom, top, box, natural_order(box.size()), rounding);
  }

  const AnyModel& model_;
  const AnyModel& added_;
  const AnyModel& taken_;
  double beta_;
  const Box& domain_;
  BranchAndBoundOptions options_;
};

}  // namespace

BranchAndBoundReport difference_boxes(
    const AnyModel& model, const SubmodularDifference& parts, double inverse_temperature,
    const Box& box, std::vector<double> point, const BranchAndBoundOptions& options,
    const std::function<bool(const BranchAndBoundProgress&)>& observer) {
  require(parts.taken.has_value(), "difference boxes: nothing is taken away");
  require_inside_unit(box, model.size());
  require_inside(box, point);
  const double value = Elbo(model.at(point), inverse_temperature).value();
  const DifferenceVisit visit(model, parts, inverse_temperature, box, options);
  BoxRounds<NoParent> rounds(box, std::move(point), value, detail::rounds_of(options, observer));
  return detail::report_of(rounds(visit));
}

Answerer difference_box_answerer(AnyModel model, SubmodularDifference parts,
                                 double inverse_temperature, Box box,
                                 const BranchAndBoundOptions& options) {
  struct Held {
    AnyModel model;
    SubmodularDifference parts;
    Box box;
  };
  const auto held =
      std::make_shared<const Held>(Held{std::move(model), std::move(parts), std::move(box)});
  const DifferenceVisit visit(held->model, held->parts, inverse_temperature, held->box, options);
  return box_answerer<NoParent>(
      options.relative_gap, options.absolute_gap, options.budget,
      [held, visit](BoxVisit<NoParent>& seen, const BoxRoundNow& now) { visit(seen, now); });
}

}  // namespace surefield
