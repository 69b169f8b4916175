// The truth about a problem: F of all sets in quadruple precision, what follows from it, and how far
// that itself can be off. Nothing here comes from the code under test but the data of the models.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tests/support/quad_log_z.hpp"
#include "tests/torture/outside_models.hpp"

namespace surefield::torture {

using surefield::testing::quad_log_z;
using surefield::testing::QuadLogZ;

/// F(S), also of models from outside that show their terms.
inline Quad true_value(const AnyModel& model, Subset in) {
  if (const auto* terms = model.as<TermModel>()) return terms->sum<Quad>(in);
  if (const auto* sum = model.as<WeightedSum>()) {
    Quad total = 0;
    for (const auto& term : sum->terms)
      if (term.weight != 0) total += Quad(term.weight) * true_value(term.model, in);
    return total;
  }
  return testing::exact_value(model, in);
}

/// How far true_value can be off: concave shapes and logarithms have the 64 bits of a long double,
/// and everything else 113.
inline long double truth_error(const AnyModel& model) {
  long double sum = 0;
  const auto group = [&](double weight, const Concave& shape, std::span<const Entry> members) {
    long double all = 0;
    for (const Entry& entry : members) all += entry.value;
    sum += 1e-18L * std::abs(weight) * testing::exact_shape(shape, all);
  };
  if (const auto* concave = model.as<ConcaveOverModular>())
    for (Index g = 0; g < concave->groups.size(); ++g)
      group(concave->groups[g].weight, concave->groups[g].shape, concave->members.of_group(g));
  if (const auto* terms = model.as<TermModel>())
    for (const OneTerm& term : terms->terms)
      if (term.kind == OneTerm::Kind::kConcave) group(term.w, term.shape, term.members);
  if (model.as<LogDet>()) sum += 1e-15L;  // at most 800 a pivot
  if (const auto* parts = model.as<WeightedSum>())
    for (const auto& term : parts->terms)
      sum += std::abs(static_cast<long double>(term.weight)) * truth_error(term.model);
  return sum;
}

/// The sizes of all terms added up, at least a sixteenth of them: F in quadruple precision is right to
/// 1e-32 of that, though terms may cancel.
class SizeOfTerms final : public TermVisitor {
 public:
  void constant(double w) override { add(w, 1); }
  void linear(Index, double w) override { add(w, 1); }
  void pair(Index, Index, double w) override { add(w, 1); }
  void product(std::span<const Entry>, double w) override { add(w, 1); }
  void best(std::span<const Entry> members, double w) override {
    for (const Entry& member : members) add(w, member.value);
  }
  void cover(std::span<const Entry>, double w) override { add(w, 1); }
  void cut(const Hyperedge&, double w) override { add(w, 1); }
  void concave(std::span<const Entry>, const Concave&, double) override {}  // truth_error
  long double sum = 0;

 private:
  void add(long double w, long double times) { sum += std::abs(w * times); }
};

/// Weights of sums within sums may multiply to more than a double.
inline void add_sizes(const AnyModel& model, SizeOfTerms& sizes, long double weight) {
  if (const auto* parts = model.as<WeightedSum>()) {
    for (const auto& term : parts->terms) add_sizes(term.model, sizes, weight * term.weight);
  } else if (model.has_terms()) {
    SizeOfTerms own;
    model.show_terms(own, 1, "truth");
    sizes.sum += std::abs(weight) * own.sum;
  }
}

struct Truth {
  Index n = 0;
  std::vector<Quad> values;  ///< F by code
  long double error = 0;     ///< of each
  bool submodular = true;    ///< but for what quadruple precision cannot tell

  explicit Truth(const AnyModel& model) : n(model.size()), error(truth_error(model)) {
    std::vector<std::uint8_t> in(n);
    Quad largest = 0;
    SizeOfTerms sizes;
    add_sizes(model, sizes, 1);
    error += 1e-31L * sizes.sum;
    for (std::size_t code = 0; code < std::size_t{1} << n; ++code) {
      for (Index i = 0; i < n; ++i) in[i] = code >> i & 1;
      values.push_back(true_value(model, in));
      largest = std::max(largest, testing::size_of(values.back()));
    }
    const Quad unsure = 4 * Quad(error) + largest * 1e-30;
    for (std::size_t code = 0; code < values.size(); ++code)
      for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j) {
          const std::size_t a = std::size_t{1} << i, b = std::size_t{1} << j;
          if (code & (a | b)) continue;
          if (values[code | a | b] - values[code | a] - values[code | b] + values[code] > unsure)
            submodular = false;
        }
  }
};

/// log Z and marginals, with all that they can be off. A hundredth of QuadLogZ::slack is still ten
/// times the error it is derived from.
struct TrueLogZ : QuadLogZ {
  long double off = 0;           ///< of log_z
  long double marginal_off = 0;  ///< of each marginal; infinite where F is too large to tell

  TrueLogZ(const Truth& truth, const Box& box, double beta)
      : TrueLogZ(truth.values, truth.error, box, beta) {}
  TrueLogZ(const std::vector<Quad>& of, long double error, const Box& box, double beta)
      : QuadLogZ(quad_log_z(of, box, beta)) {
    off = slack() / 100 + beta * error;
    marginal_off = 1e-15L + (beta * error < 0.1L ? 4 * beta * error
                                                 : std::numeric_limits<long double>::infinity());
  }
};

/// beta m(x) + H(x), with all that it can be off.
struct TrueElbo {
  long double value = 0, off = 0;
};

inline TrueElbo true_elbo(const Truth& truth, double beta, std::span<const double> x) {
  const Quad m = beta * folded<Quad, double>(truth.values, x);
  long double entropy = 0;
  for (const double v : x) entropy += testing::true_entropy(v);
  const auto energy = static_cast<long double>(m);
  Quad largest = 0;
  for (const Quad v : truth.values) largest = std::max(largest, testing::size_of(v));
  return {energy + entropy, 1e-18L * (static_cast<long double>(truth.n) + std::abs(energy)) +
                                beta * truth.error +
                                1e-30L * static_cast<long double>(beta * largest)};
}

/// The best of what coordinate ascent finds from corners of the box and from its middle.
inline TrueElbo best_known_elbo(const Truth& truth, double beta, const Box& box,
                                std::vector<std::vector<double>> starts) {
  starts.push_back(box.low);
  starts.push_back(box.high);
  std::vector<double> middle(truth.n), other(truth.n);
  for (Index i = 0; i < truth.n; ++i) {
    middle[i] = box[i].clamp((box.low[i] + box.high[i]) / 2);
    other[i] = i % 2 == 0 ? box.low[i] : box.high[i];
  }
  starts.push_back(middle);
  starts.push_back(other);
  std::vector<long double> values(truth.values.begin(), truth.values.end());
  TrueElbo best{-std::numeric_limits<long double>::infinity(), 0};
  for (auto& x : starts) {
    const auto judge = [&] {
      const TrueElbo here = true_elbo(truth, beta, x);
      if (here.value - here.off > best.value - best.off) best = here;
    };
    judge();
    for (int sweep = 0; sweep < 6; ++sweep)
      for (Index i = 0; i < truth.n; ++i) {
        if (box[i].is_point()) continue;
        auto without = x, with = x;
        without[i] = 0;
        with[i] = 1;
        const long double slope = beta * (folded<long double, double>(values, with) -
                                          folded<long double, double>(values, without));
        x[i] = box[i].clamp(static_cast<double>(1 / (1 + std::exp(-slope))));
      }
    judge();
  }
  return best;
}

}  // namespace surefield::torture
