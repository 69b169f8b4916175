#include "surefield/learn/pseudo_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/pseudo_likelihood_row.hpp"

namespace surefield {
namespace {

constexpr Index kMostTasks = 128;  // of an evaluation
constexpr Index kMostShared = 32;  // between processes: each is also two messages

}  // namespace

/// Of some items one after the other.
struct PseudoLikelihood::Rows {
  std::vector<double> loss, by_bias, by_end = {};

  friend auto fields_of(Rows& rows) {
    auto& [loss, by_bias, by_end] = rows;
    return std::tie(loss, by_bias, by_end);
  }
};

PseudoLikelihood::PseudoLikelihood(const DistinctSets& given, const PairSupport& support,
                                   double smoothing, bool given_non_empty, ControlPlan plan,
                                   Crew* crew)
    : support_(&support),
      crew_(crew),
      smoothing_(smoothing),
      plan_(std::move(plan)),
      buffers_(std::make_shared<Buffers>()) {
  require(std::isfinite(smoothing) && smoothing >= 0, "pseudo-likelihood: the smoothing is ",
          smoothing, ", which must be finite and >= 0");
  const Index n = items();
  count_.assign(n, 0);
  alone_.assign(n, 0);
  start_.assign(n + 1, 0);
  times_ = given.times;
  for (Index k = 0; k < given.sets.size(); ++k) {
    const auto set = given.sets[k];
    total_ += times_[k];
    if (given_non_empty && set.size() == 1) alone_[set[0]] += times_[k];
    for (const auto i : set) {
      require(i < n, "pseudo-likelihood: a set holds item ", i, ", which must be below ", n);
      count_[i] += times_[k];
      ++start_[i + 1];
    }
  }
  for (Index i = 0; i < n; ++i) start_[i + 1] += start_[i];
  holder_.resize(start_[n]);
  auto next = start_;
  const auto number_holders = [&](const FlatSets& sets) {
    for (Index k = 0; k < sets.size(); ++k)
      for (const auto i : sets[k]) holder_[next[i]++] = static_cast<std::uint32_t>(k);
  };
  if (!is_exact()) {
    DistinctSets moved = shuffled(given);
    number_holders(moved.sets);
    sets_ = std::move(moved.sets);
    times_ = std::move(moved.times);
  } else {
    number_holders(given.sets);
  }
  all_sets_.assign(n, 0);
  for (Index i = 0; i < n; ++i) {
    std::size_t work = 0;
    for (std::size_t e = support.start[i]; e < support.start[i + 1]; ++e)
      work += start_[support.neighbour[e] + 1] - start_[support.neighbour[e]];
    all_sets_[i] = work >= times_.size();
  }
  patterns_ = RowPatterns(support, start_, holder_, times_, plan_.sampled);
  for (Index i = 0; i < n; ++i) operations_ += operations_of(i);
}

double PseudoLikelihood::operations_of(Index i) const {
  constexpr double kPattern = 50, kMeeting = 5, kControl = 50;  // exponentials count most
  if (const auto patterns = patterns_.of(i).size(); patterns > 0)
    return kPattern * static_cast<double>(patterns);
  double met = static_cast<double>(holders(i).size());
  for (std::size_t e = support_->start[i]; e < support_->start[i + 1]; ++e)
    if (const auto held = static_cast<double>(holders(support_->neighbour[e]).size());
        !is_sampled(i) || held <= plan_.rare)
      met += held;
  if (!is_sampled(i)) return kMeeting * met;
  const Index controls = std::max(plan_.controls, kControlsACase * holders(i).size());
  return kControl * (met + static_cast<double>(std::min(controls, times_.size())));
}

PseudoLikelihood::Rows PseudoLikelihood::rows(Index first, Index last,
                                              std::span<const double> theta, double smoothing,
                                              bool by_ends) const {
  Rows part{.loss = std::vector<double>(last - first),
            .by_bias = std::vector<double>(last - first)};
  const std::size_t begin = support_->start[first];
  if (by_ends) part.by_end.resize(support_->start[last] - begin);
  std::unique_ptr<Row> buffer = buffers_->take(times_.size());
  for (Index i = first; i < last; ++i) {
    const auto of = is_sampled(i)             ? &PseudoLikelihood::sampled_row
                    : patterns_.of(i).empty() ? &PseudoLikelihood::row
                                              : &PseudoLikelihood::tabled_row;
    part.loss[i - first] =
        (this->*of)(i, theta, smoothing, *buffer, part.by_bias[i - first],
                    by_ends ? part.by_end.data() + (support_->start[i] - begin) : nullptr);
  }
  buffers_->give_back(std::move(buffer));
  return part;
}

double PseudoLikelihood::sum_of_rows(std::span<const double> theta, double smoothing,
                                     std::span<double> by_bias, std::span<double> by_end,
                                     const Budget& budget) const {
  require(theta.size() == parameters(), "pseudo-likelihood: ", theta.size(),
          " parameters are given, there are ", parameters());
  const Index n = items();
  const Index most = crew_ == nullptr ? kMostTasks : kMostShared;
  const Index share = (n + most - 1) / most;  // rows a task; which does what changes no bit
  const auto parts =
      in_order(n == 0 ? 0 : (n + share - 1) / share, budget, crew_, [&](std::size_t task) -> Rows {
        if (budget.spent()) return {};
        return rows(task * share, std::min(n, (task + 1) * share), theta, smoothing,
                    !by_end.empty());
      });
  if (!parts.complete) return std::nan("");
  CompensatedSum sum;
  auto next_bias = by_bias.begin(), next_end = by_end.begin();
  for (const Rows& part : parts.results) {
    for (const double loss : part.loss) sum.add(loss);
    next_bias = std::ranges::copy(part.by_bias, next_bias).out;
    next_end = std::ranges::copy(part.by_end, next_end).out;
  }
  return sum.value();
}

double PseudoLikelihood::operator()(std::span<const double> theta, std::span<double> gradient,
                                    double penalty, const Budget& budget) const {
  const Index n = items();
  std::vector<double> by_end(support_->neighbour.size());
  double loss = sum_of_rows(theta, smoothing_, gradient.first(n), by_end, budget);
  if (std::isnan(loss)) return loss;
  CompensatedSum squares;
  for (Index p = 0; p < support_->pairs(); ++p) {
    squares.add(theta[n + p] * theta[n + p]);
    gradient[n + p] = penalty * theta[n + p];
  }
  for (std::size_t e = 0; e < by_end.size(); ++e) gradient[n + support_->pair[e]] += by_end[e];
  return loss + penalty / 2 * squares.value();
}

double PseudoLikelihood::mean_loss(std::span<const double> theta, const Budget& budget) const {
  std::vector<double> by_bias(items());
  return sum_of_rows(theta, 0, by_bias, {}, budget) / total_;
}

std::vector<double> PseudoLikelihood::curvature(double penalty) const {
  const auto chance = [&](Index i) { return (count_[i] + 0.5) / (total_ + 1); };
  std::vector<double> second(parameters());
  for (Index i = 0; i < items(); ++i) {
    const double p = chance(i);
    second[i] = (total_ + 2 * smoothing_) * p * (1 - p);
    for (std::size_t e = support_->start[i]; e < support_->start[i + 1]; ++e) {
      const double other = chance(support_->neighbour[e]);
      second[items() + support_->pair[e]] += total_ * other * p * (1 - p);
    }
  }
  for (Index p = 0; p < support_->pairs(); ++p) second[items() + p] += penalty;
  return second;
}

std::vector<double> PseudoLikelihood::start() const {
  std::vector<double> theta(parameters(), 0.0);
  for (Index i = 0; i < items(); ++i) {
    const double with = count_[i] - alone_[i] + std::max(smoothing_, 0.5);
    const double without = total_ - count_[i] + std::max(smoothing_, 0.5);
    theta[i] = std::log(with) - std::log(without);
  }
  return theta;
}

PairwiseField field_of(std::span<const double> theta, const PairSupport& support) {
  const Index n = support.items();
  std::vector<Edge> edges;
  edges.reserve(support.pairs());
  for (Index i = 0; i < n; ++i)
    for (std::size_t e = support.start[i]; e < support.start[i + 1]; ++e)
      if (const double w = theta[n + support.pair[e]]; support.neighbour[e] > i && w != 0)
        edges.push_back({static_cast<std::uint32_t>(i), support.neighbour[e], w});
  return make_pairwise_field({theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(n)},
                             edges);
}

}  // namespace surefield
