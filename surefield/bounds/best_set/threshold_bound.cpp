#include "surefield/bounds/best_set/threshold_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kFirstStep = 1.5;  // of Polyak's
constexpr double kLastStep = 1e-3;
constexpr double kLeaning = 0.6;       // of a step on those before it
constexpr std::size_t kPatience = 15;  // steps without a lower bound, then shorter ones
constexpr double kStart = 0.7;         // of the largest value of a group

class Thresholds final : public FittingTerms {
 public:
  explicit Thresholds(Index items) {
    terms_.worth.resize(items, 0);
    terms_.worth_off.resize(items, 0);
  }

  void constant(double w) override {
    terms_.constant += w;
    terms_.size += std::abs(w) + std::abs(terms_.constant);
  }
  void linear(Index i, double w) override {
    terms_.worth[i] += w;
    terms_.worth_off[i] += kUnitRoundoff * std::abs(terms_.worth[i]);
  }
  void pair(Index, Index, double w) override { fits_ &= w == 0; }
  void best(std::span<const Entry> members, double w) override {
    fits_ &= w >= 0;
    for (const Entry& entry : members) add(entry.index, w * entry.value);
    close();
  }
  void cover(std::span<const Entry> members, double w) override {
    fits_ &= w >= 0;
    for (const Entry& entry : members) {
      fits_ &= entry.value == 0 || entry.value == 1;
      add(entry.index, w * entry.value);
    }
    close();
  }

  std::optional<ThresholdTerms> finish() {
    if (!fits_) return std::nullopt;
    return std::move(terms_);
  }

 private:
  void add(std::uint32_t item, double value) {
    if (!(value > 0)) return;
    terms_.item.push_back(item);
    terms_.value.push_back(value);
  }
  void close() {
    if (terms_.item.size() > terms_.start.back()) terms_.start.push_back(terms_.item.size());
  }

  ThresholdTerms terms_;
};

/// The search, and the bound at one t with its rounding taken off.
class ThresholdSearch {
 public:
  ThresholdSearch(const ThresholdTerms& terms, const Box& box, const ThresholdOptions& options)
      : terms_(terms),
        options_(options),
        worth_(terms.worth.size()),
        off_(terms.worth.size()),
        kept_(terms.worth.size()) {
    for (Index i = 0; i < box.size(); ++i) {
      if (box.low[i] == 1) in_.push_back(i);
      if (box.low[i] == 0 && box.high[i] == 1) open_.push_back(i);
    }
    room_ = options.most
                ? std::min(open_.size(), *options.most - std::min(*options.most, in_.size()))
                : open_.size();
    t_.resize(terms.groups());
    for (Index g = 0; g < t_.size(); ++g) t_[g] = kStart * largest(g);
    slope_.resize(t_.size());
    direction_.assign(t_.size(), 0);
  }

  double operator()(const ThresholdObserver& observer) {
    double best = bound(), known = options_.best_known, step = kFirstStep;
    std::vector<double> best_t = t_;
    if (observer) known = std::max(known, observer(worth_));
    double now = best;
    std::size_t idle = 0;
    for (std::size_t k = 0; k < options_.steps && std::isfinite(now); ++k) {
      const double aim = std::isfinite(known) ? known : std::min(0.0, best - std::abs(best));
      if (best - aim <= options_.wanted_gap * std::max(1.0, std::abs(aim))) break;
      if (step < kLastStep || options_.budget.spent()) break;
      if (!move(step * (now - aim))) break;
      now = bound();
      const bool lower = now < best;
      if (lower) {
        best = now, best_t = t_;
        if (observer) known = std::max(known, observer(worth_));
      }
      idle = lower ? 0 : idle + 1;
      if (idle >= kPatience) {
        step /= 2, idle = 0;
        t_ = best_t, now = bound();
        std::ranges::fill(direction_, 0.0);
      }
    }
    return best;
  }

 private:
  double largest(Index g) const {
    double most = 0;
    for (std::size_t e = terms_.start[g]; e < terms_.start[g + 1]; ++e)
      most = std::max(most, terms_.value[e]);
    return most;
  }

  /// The bound at t; which items it counts.
  double bound() {
    worth_ = terms_.worth, off_ = terms_.worth_off;
    std::vector<double> size(worth_.size());
    std::vector<std::uint32_t> count(worth_.size(), 0);
    for (Index i = 0; i < size.size(); ++i) size[i] = std::abs(worth_[i]);
    for (Index g = 0; g < t_.size(); ++g)
      for (std::size_t e = terms_.start[g]; e < terms_.start[g + 1]; ++e) {
        if (!(terms_.value[e] > t_[g])) continue;
        const auto i = terms_.item[e];
        worth_[i] += terms_.value[e] - t_[g];
        size[i] += terms_.value[e];  // of the difference, and of the rounding of the value itself
        ++count[i];
      }
    // A value that is rounded to t or below counts nothing; it may be above t by one rounding of itself.
    for (Index g = 0; g < t_.size(); ++g)
      for (std::size_t e = terms_.start[g]; e < terms_.start[g + 1]; ++e)
        if (terms_.value[e] == t_[g]) off_[terms_.item[e]] += 2 * kUnitRoundoff * terms_.value[e];
    for (Index i = 0; i < size.size(); ++i)
      off_[i] += gamma_of(2.0 * count[i] + 8) * (size[i] + off_[i]);
    CompensatedSum sum;
    double sizes = terms_.size;
    const auto add = [&](double term) { sum.add(term), sizes += std::abs(term); };
    add(terms_.constant);
    for (const double t : t_) add(t);
    std::ranges::fill(kept_, std::uint8_t{0});
    const auto keep = [&](Index i) { kept_[i] = 1, add(worth_[i] + off_[i]); };
    for (const Index i : in_) keep(i);
    order_ = open_;
    if (room_ < order_.size())
      std::ranges::nth_element(
          order_, order_.begin() + static_cast<std::ptrdiff_t>(room_),
          [&](Index a, Index b) { return worth_[a] + off_[a] > worth_[b] + off_[b]; });
    for (Index k = 0; k < room_; ++k)
      if (!(worth_[order_[k]] + off_[order_[k]] <= 0)) keep(order_[k]);
    const double bound = sum.value() + gamma_of(32) * sizes;
    return std::isnan(bound) ? kInfinity : bound;
  }

  /// One step down by so much, were the bound linear. False where it is flat.
  bool move(double fall) {
    double square = 0, along = 0;
    for (Index g = 0; g < t_.size(); ++g) {
      slope_[g] = 1;
      for (std::size_t e = terms_.start[g]; e < terms_.start[g + 1]; ++e)
        slope_[g] -= kept_[terms_.item[e]] && terms_.value[e] > t_[g];
      if (t_[g] <= 0 && slope_[g] > 0) slope_[g] = 0;
      direction_[g] = slope_[g] + kLeaning * direction_[g];
      square += direction_[g] * direction_[g];
      along += slope_[g] * slope_[g];
    }
    if (!(along > 0) || !(square > 0)) return false;
    for (Index g = 0; g < t_.size(); ++g)
      t_[g] = std::max(0.0, t_[g] - fall / square * direction_[g]);
    return true;
  }

  const ThresholdTerms& terms_;
  const ThresholdOptions& options_;
  std::vector<double> worth_, off_, t_, slope_, direction_;
  std::vector<std::uint8_t> kept_;
  std::vector<Index> in_, open_, order_;
  Index room_ = 0;
};

}  // namespace

std::optional<ThresholdTerms> threshold_terms(const AnyModel& model) {
  if (!model.has_terms()) return std::nullopt;
  Thresholds terms(model.size());
  model.show_terms(terms, 1, "thresholds");
  return terms.finish();
}

double threshold_bound(const ThresholdTerms& terms, const Box& box, const ThresholdOptions& options,
                       const ThresholdObserver& observer) {
  return ThresholdSearch(terms, box, options)(observer);
}

}  // namespace surefield
