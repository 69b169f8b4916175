#include "surefield/learn/pseudo_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/sigmoid_batch.hpp"
#include "surefield/learn/pseudo_likelihood_row.hpp"

namespace surefield {
namespace {

constexpr Index kMostTasks = 128;  // of an evaluation; each has arrays over all sets
constexpr Index kMostShared = 32;  // between processes: each is also two messages

/// Sum of -times * log q for q in (0, 1]; single times are multiplied up, a logarithm for many.
class LogLosses {
 public:
  void add(double q, double times) {
    if (times != 1) {
      sum_ -= times * std::log(q);
      return;
    }
    product_ *= q;
    if (product_ < 1e-150) flush();
  }
  double value() {
    flush();
    return sum_;
  }

 private:
  void flush() {
    sum_ -= std::log(product_);
    product_ = 1;
  }
  double sum_ = 0, product_ = 1;
};

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
    : support_(&support), crew_(crew), smoothing_(smoothing), plan_(std::move(plan)) {
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

double PseudoLikelihood::row(Index i, std::span<const double> theta, double smoothing, Row& now,
                             double& by_bias, double* by_end) const {
  const double bias = theta[i];
  const bool all = all_sets_[i] != 0;
  const auto mark = static_cast<std::uint32_t>(i + 1);
  const double* const times = times_.data();
  const std::size_t first = support_->start[i];
  const std::size_t last = support_->start[i + 1];

  // 1. The fields of the sets that are met.
  if (all) {
    now.field.assign(times_.size(), bias);
    double* const field = now.field.data();
    for (std::size_t e = first; e < last; ++e) {
      const double w = theta[items() + support_->pair[e]];
      for (const auto s : holders(support_->neighbour[e])) field[s] += w;
    }
  } else {
    now.field.clear();
    now.met.clear();
    for (std::size_t e = first; e < last; ++e) {
      const double w = theta[items() + support_->pair[e]];
      for (const auto s : holders(support_->neighbour[e])) {
        if (now.stamp[s] != mark) {
          now.stamp[s] = mark;
          now.slot[s] = static_cast<std::uint32_t>(now.field.size());
          now.met.push_back(s);
          now.field.push_back(bias);
        }
        now.field[now.slot[s]] += w;
      }
    }
  }

  // 2. Losses; what is left in `field` are the residuals, times (sigmoid(h) - x_i).
  const Index size = now.field.size();
  now.chance.resize(size);
  double* const field = now.field.data();
  double* const chance = now.chance.data();
  const std::uint32_t* const met = now.met.data();
  for (Index k = 0; k < size; ++k) chance[k] = -field[k];
  sigmoid_batch(now.chance);
  LogLosses losses;
  double far = 0;     // losses whose chance is below what a double can say
  double weight = 0;  // of the sets that are met, and of those among them that hold i
  double slope = 0;
  double agreed = 0;  // sum of times * h_i over sets that hold i
  double holding = 0;
  for (const auto s : holders(i)) {
    if (!all && now.stamp[s] != mark) continue;
    agreed += times[s] * field[all ? s : now.slot[s]];
    holding += times[s];
  }
  for (Index k = 0; k < size; ++k) {
    const double t = times[all ? k : met[k]];
    if (chance[k] > 1e-140)
      losses.add(chance[k], t);
    else
      far += t * softplus(field[k]);
    field[k] = t * (1 - chance[k]);
    slope += field[k];
    weight += t;
  }
  for (const auto s : holders(i))
    if (all || now.stamp[s] == mark) field[all ? s : now.slot[s]] -= times[s];

  // 3. All sets that are not met have h_i = b_i. {i} is met by nothing, unless all sets are taken.
  const double base = sigmoid(bias);
  const double rest = total_ - weight - alone_[i];
  const double rest_holding = count_[i] - holding - alone_[i];
  by_bias = slope - holding + rest * base - rest_holding + smoothing * (2 * base - 1);

  // 4. A coupling moves the fields of the sets that hold its other end.
  for (std::size_t e = first; e < last && by_end != nullptr; ++e) {
    double sum = 0;
    if (all)
      for (const auto s : holders(support_->neighbour[e])) sum += field[s];
    else
      for (const auto s : holders(support_->neighbour[e])) sum += field[now.slot[s]];
    by_end[e - first] = sum;
  }
  return losses.value() + far - agreed + rest * softplus(bias) - rest_holding * bias +
         smoothing * (2 * softplus(bias) - bias);
}

PseudoLikelihood::Rows PseudoLikelihood::rows(Index first, Index last,
                                              std::span<const double> theta, double smoothing,
                                              bool by_ends) const {
  Rows part{.loss = std::vector<double>(last - first),
            .by_bias = std::vector<double>(last - first)};
  const std::size_t begin = support_->start[first];
  if (by_ends) part.by_end.resize(support_->start[last] - begin);
  Row buffer(times_.size());
  for (Index i = first; i < last; ++i) {
    const auto of = is_sampled(i)             ? &PseudoLikelihood::sampled_row
                    : patterns_.of(i).empty() ? &PseudoLikelihood::row
                                              : &PseudoLikelihood::tabled_row;
    part.loss[i - first] =
        (this->*of)(i, theta, smoothing, buffer, part.by_bias[i - first],
                    by_ends ? part.by_end.data() + (support_->start[i] - begin) : nullptr);
  }
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
