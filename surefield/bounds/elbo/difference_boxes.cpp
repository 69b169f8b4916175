#include "surefield/bounds/elbo/difference_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "surefield/bounds/elbo/difference_contraction.hpp"
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
        contract_(parts, beta, domain, options.rounding.slope),
        added_(parts.added),
        taken_(*parts.taken),
        beta_(beta),
        domain_(domain),
        rounding_(options.rounding) {
    rounding_.slope += contract_.difference_error();
    rounding_.lines += static_cast<double>(domain_.size()) * contract_.difference_error();
  }

  void operator()(BoxVisit<NoParent>& seen, const BoxRoundNow& now) const {
    const Index n = domain_.size();
    Box& box = seen.node.box;
    seen.where = n;
    DifferenceContraction::Slopes slopes;
    if (!contract_(box, slopes, now.budget)) {
      seen.alive = false;
      return;
    }
    if (now.budget.spent()) {
      seen.unfinished = true;
      return;
    }
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i)
      x[i] = EntropyLine(slopes.least[i] / 2 + slopes.most[i] / 2).argmax(box[i]);
    seen.node.bound = std::min(seen.node.bound, bound(box, x));
    if (seen.number % 8 == 1)
      seen.polished = detail::polished_in(domain_, Elbo(model_.at(x), beta_), now.budget);
    seen.where =
        detail::widest_fall(box, [&](Index i) { return slopes.most[i] - slopes.least[i]; });
  }

 private:
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
    PassRounding rounding = rounding_;
    rounding.value += rounding.lines;  // the slopes of the line
    rounding.value += gamma_of(32 + 2 * static_cast<double>(box.size())) *
                      (beta_ * line->magnitude + std::abs(bottom.value()) + std::abs(top.value()));
    return detail::node_bound(bottom, top, box, natural_order(box.size()), rounding);
  }

  const AnyModel& model_;
  DifferenceContraction contract_;
  const AnyModel& added_;
  const AnyModel& taken_;
  double beta_;
  const Box& domain_;
  PassRounding rounding_;
};

}  // namespace

BranchAndBoundReport difference_boxes(
    const AnyModel& model, const SubmodularDifference& parts, double inverse_temperature,
    const Box& box, std::vector<double> point, const BranchAndBoundOptions& options,
    const std::function<bool(const BranchAndBoundProgress&)>& observer) {
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
