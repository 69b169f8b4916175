#include "surefield/models/black_box/black_box.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

/// {0, 3, 4}, cut off after ten elements.
std::string text_of(Subset chosen) {
  std::string text = "{";
  int listed = 0;
  for (Index i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    if (listed > 0) text += ", ";
    if (++listed > 10) return text + "...}";
    text += message(i);
  }
  return text + "}";
}

}  // namespace

double BlackBox::evaluate(Subset chosen) const {
  double value = 0;
  evaluate_many(chosen, {&value, 1});
  return value;
}

void BlackBox::evaluate_many(std::span<const std::uint8_t> rows, std::span<double> values) const {
  if (batch && !values.empty()) batch(rows, values);
  for (Index k = 0; k < values.size(); ++k) {
    const Subset chosen = rows.subspan(k * items, items);
    if (!batch) values[k] = function(chosen);
    const auto members = [&] {
      return std::count_if(chosen.begin(), chosen.end(), [](auto in) { return in != 0; });
    };
    if (!std::isfinite(values[k])) [[unlikely]]
      fail("black box: F of the ", members(), " elements ", text_of(chosen), " is ", values[k],
           ", which must be finite");
    if (!(std::abs(values[k]) <= bound)) [[unlikely]]
      fail("black box: F of the ", members(), " elements ", text_of(chosen), " is ", values[k],
           ", beyond the promised bound ", bound);
  }
}

double BlackBox::gain(std::vector<std::uint8_t>& chosen, Index i, double value) const {
  if (own_gain) {
    const double gain = own_gain(chosen, i);
    require(std::isfinite(gain), "black box: the gain of item ", i, " on ", text_of(chosen), " is ",
            gain, ", which must be finite");
    return gain;
  }
  chosen[i] ^= 1;
  const double other = evaluate(chosen);
  chosen[i] ^= 1;
  return chosen[i] ? value - other : other - value;
}

BlackBox::State BlackBox::at(std::span<const double> x) const& { return {*this, x}; }
BlackBox::Set BlackBox::empty_set() const& { return Set(*this); }

BlackBox::State::State(const BlackBox& model, std::span<const double> x)
    : model_(&model),
      sets_(model.samples, model.seed, x),
      stale_(model.samples, 1),
      values_(model.samples, 0) {
  SUREFIELD_ASSERT(x.size() == model.items);
}

void BlackBox::State::refresh() const {
  if (!any_stale_) return;
  twin_ = sets_.twins();
  std::vector<Index> asked;
  for (Index k = 0; k < values_.size(); ++k)
    if (stale_[k] && twin_[k] == k) asked.push_back(k);
  std::vector<std::uint8_t> rows(asked.size() * size());
  std::vector<double> found(asked.size());
  for (Index r = 0; r < asked.size(); ++r)
    sets_.write(asked[r], std::span(rows).subspan(r * size(), size()));
  model_->evaluate_many(rows, found);
  for (Index r = 0; r < asked.size(); ++r) values_[asked[r]] = found[r];
  for (Index k = 0; k < values_.size(); ++k) {
    if (stale_[k]) values_[k] = values_[twin_[k]];
    stale_[k] = 0;
  }
  any_stale_ = false;
}

double BlackBox::State::value() const {
  refresh();
  CompensatedSum sum;
  for (const double value : values_) sum.add(value);
  return sum.value() / static_cast<double>(values_.size());
}

double BlackBox::State::partial(Index i) const {
  refresh();
  std::vector<double> gains(values_.size());
  std::vector<Index> asked;
  for (Index k = 0; k < gains.size(); ++k)
    if (twin_[k] == k) asked.push_back(k);
  if (model_->own_gain || !model_->batch) {
    std::vector<std::uint8_t> chosen(size());
    for (const Index k : asked) {
      sets_.write(k, chosen);
      gains[k] = model_->gain(chosen, i, values_[k]);
    }
  } else {  // one of S + i and S - i is S, whose value is known
    std::vector<std::uint8_t> rows(asked.size() * size());
    std::vector<double> others(asked.size());
    for (Index r = 0; r < asked.size(); ++r) {
      const auto row = std::span(rows).subspan(r * size(), size());
      sets_.write(asked[r], row);
      row[i] ^= 1;
    }
    model_->evaluate_many(rows, others);
    for (Index r = 0; r < asked.size(); ++r)
      gains[asked[r]] =
          rows[r * size() + i] ? others[r] - values_[asked[r]] : values_[asked[r]] - others[r];
  }
  CompensatedSum sum;
  for (Index k = 0; k < gains.size(); ++k) sum.add(gains[k] = gains[twin_[k]]);
  return sum.value() / static_cast<double>(gains.size());
}

void BlackBox::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = partial(i);
}

double BlackBox::Set::value() const {
  if (!value_) value_ = model_->evaluate(chosen_);
  return *value_;
}

double BlackBox::Set::gain(Index i) const {
  auto chosen = chosen_;
  return model_->gain(chosen, i, model_->own_gain ? 0 : value());
}

BlackBox make_black_box(Index items, std::function<double(Subset)> function, Index samples,
                        std::uint64_t seed) {
  require(static_cast<bool>(function), "black box: there is no function to call");
  require(samples >= 1, "black box: the number of samples is ", samples, ", which must be >= 1");
  BlackBox model;
  model.items = items;
  model.function = std::move(function);
  model.samples = samples;
  model.seed = seed;
  return model;
}

BlackBox make_black_box(Index items, std::function<double(Subset)> function,
                        const SamplingAccuracy& accuracy, std::uint64_t seed) {
  require(std::isfinite(accuracy.bound) && accuracy.bound >= 0, "black box: the bound of |F| is ",
          accuracy.bound, ", which must be finite and >= 0");
  const Index samples = hoeffding_samples(4 * accuracy.bound, accuracy.error, accuracy.confidence);
  BlackBox model = make_black_box(items, std::move(function), samples, seed);
  model.bound = accuracy.bound;
  return model;
}

Index hoeffding_samples(double range, double error, double confidence) {
  require(std::isfinite(range) && range >= 0, "hoeffding: the range is ", range,
          ", which must be finite and >= 0");
  require(std::isfinite(error) && error > 0, "hoeffding: the error is ", error,
          ", which must be finite and > 0");
  require(confidence >= 0 && confidence < 1, "hoeffding: the confidence is ", confidence,
          ", which must be >= 0 and < 1");
  const double ratio = range / error;
  const double needed = std::ceil(std::log(2 / (1 - confidence)) * ratio * ratio / 2);
  require(needed < 0x1p53, "hoeffding: range ", range, ", error ", error, " and confidence ",
          confidence, " ask for ", needed, " samples, which is too many");
  const auto enough = [&](double k) {
    return 2 * std::exp(-2 * k / (ratio * ratio)) <= 1 - confidence;
  };
  double k = std::max(1.0, needed);  // right but for rounding
  while (!enough(k)) ++k;
  while (k > 1 && enough(k - 1)) --k;
  return static_cast<Index>(k);
}

std::optional<std::string> submodularity_violation(const BlackBox& model) {
  const Index n = model.items;
  if (n < 2) return std::nullopt;
  Random random(model.seed);
  std::vector<std::uint8_t> chosen(n);
  for (int trial = 0; trial < 200; ++trial) {
    const double density = random.uniform();
    for (auto& in : chosen) in = random.chance(density);
    const Index i = random.below(n);
    Index j = random.below(n - 1);
    if (j >= i) ++j;
    const auto value = [&](std::uint8_t with_i, std::uint8_t with_j) {
      chosen[i] = with_i;
      chosen[j] = with_j;
      return model.evaluate(chosen);
    };
    const double both = value(1, 1);
    const double first = value(1, 0);
    const double second = value(0, 1);
    const double neither = value(0, 0);
    const double excess = (both - first) - (second - neither);
    const double scale =
        std::max({std::abs(both), std::abs(first), std::abs(second), std::abs(neither)});
    if (excess > 1e-9 * scale)
      return message("pair ", i, "-", j, " on top of ", text_of(chosen), " gains ", excess,
                     " by being together, which must be <= 0 for a submodular function");
  }
  return std::nullopt;
}

}  // namespace surefield
