// Models as somebody outside would write them: of a table of all values, or of simple terms, with and
// without what helps the bounds (facts_of, show_terms). Only for few items: states hold all values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/terms.hpp"
#include "tests/support/quad_truth.hpp"

namespace surefield::torture {

using surefield::testing::Quad;

inline std::size_t code_of(Subset in) {
  std::size_t code = 0;
  for (Index i = 0; i < in.size(); ++i) code |= static_cast<std::size_t>(in[i] != 0) << i;
  return code;
}

/// m(x) of F given by its values, one coordinate folded at a time.
template <class T, class X>
T folded(std::vector<T> values, std::span<const X> x) {
  for (Index i = x.size(); i-- > 0;)
    for (std::size_t code = 0; code < std::size_t{1} << i; ++code)
      values[code] = (1 - T(x[i])) * values[code] + T(x[i]) * values[code + (std::size_t{1} << i)];
  return values[0];
}

class TableState {
 public:
  TableState(const std::vector<double>& values, std::span<const double> x)
      : values_(&values), x_(x.begin(), x.end()) {}
  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const { return at(i, 1) - at(i, 0); }
  void gradient(std::span<double> out) const {
    for (Index i = 0; i < x_.size(); ++i) out[i] = partial(i);
  }
  double value() const { return folded<double, double>(*values_, x_); }
  void set(Index i, double v) { x_[i] = v; }

 private:
  double at(Index i, double v) const {
    auto x = x_;
    x[i] = v;
    return folded<double, double>(*values_, x);
  }
  const std::vector<double>* values_;
  std::vector<double> x_;
};

class TableSet {
 public:
  TableSet(const std::vector<double>& values, Index n) : values_(&values), n_(n) {}
  Index size() const { return n_; }
  bool contains(Index i) const { return code_ >> i & 1; }
  double gain(Index i) const {
    const std::size_t bit = std::size_t{1} << i;
    return (*values_)[code_ | bit] - (*values_)[code_ & ~bit];
  }
  double value() const { return (*values_)[code_]; }
  void add(Index i) { code_ |= std::size_t{1} << i; }
  void remove(Index i) { code_ &= ~(std::size_t{1} << i); }

 private:
  const std::vector<double>* values_;
  Index n_;
  std::size_t code_ = 0;
};

/// F by its values, and not a word more.
struct TableModel {
  Index n = 0;
  std::vector<double> values;
  Index size() const { return n; }
  double evaluate(Subset in) const { return values[code_of(in)]; }
  TableState at(std::span<const double> x) const { return {values, x}; }
  TableSet empty_set() const { return {values, n}; }
};

/// The same, with facts: a value is what it is; a fold rounds three times an item.
struct KnownTableModel : TableModel {};

inline Facts facts_of(const KnownTableModel& model) {
  Facts facts;
  for (const double v : model.values) facts.magnitude = std::max(facts.magnitude, std::abs(v));
  facts.magnitude *= 2;
  facts.value_error = gamma_of(4 * static_cast<double>(model.n) + 4) * facts.magnitude + 0x1p-1060;
  facts.gain_error = 2 * facts.value_error;
  facts.gain_error_sum = static_cast<double>(model.n) * facts.gain_error;
  facts.submodularity = Submodularity::kAssumed;
  return facts;
}

/// One term of models/terms.hpp, held by value.
struct OneTerm {
  enum class Kind { kConstant, kLinear, kPair, kProduct, kBest, kCover, kCut, kConcave };
  Kind kind = Kind::kConstant;
  double w = 0;
  std::vector<Entry> members = {};  ///< of a linear term one, of a pair two
  Hyperedge edge = {};
  Concave shape = {};

  template <class T>
  T value(Subset in) const {
    const auto inside = [&](const Entry& member) { return in[member.index] != 0; };
    const auto chosen = [&](auto i) { return in[i] != 0; };
    switch (kind) {
      case Kind::kConstant:
        return w;
      case Kind::kLinear:
      case Kind::kPair:
      case Kind::kProduct:
        return std::ranges::all_of(members, inside) ? T(w) : T(0);
      case Kind::kBest: {
        double best = 0;
        for (const Entry& member : members)
          if (inside(member)) best = std::max(best, member.value);
        return T(w) * best;
      }
      case Kind::kCover: {
        T missed = 1;
        for (const Entry& member : members)
          if (inside(member)) missed *= 1 - T(member.value);
        return T(w) * (1 - missed);
      }
      case Kind::kCut:
        return std::ranges::any_of(edge.tail, chosen) && !std::ranges::all_of(edge.head, chosen)
                   ? T(w)
                   : T(0);
      case Kind::kConcave: {
        T sum = 0;
        for (const Entry& member : members)
          if (inside(member)) sum += member.value;
        if constexpr (std::is_same_v<T, double>)
          return w * shape(sum);
        else
          return T(w) * T(testing::exact_shape(shape, static_cast<long double>(sum)));
      }
    }
    return 0;
  }
};

/// F by simple terms, shown.
struct TermModel {
  Index n = 0;
  std::vector<OneTerm> terms;
  std::vector<double> values;  ///< derived

  Index size() const { return n; }
  template <class T>
  T sum(Subset in) const {
    T total = 0;
    for (const OneTerm& term : terms) total += term.value<T>(in);
    return total;
  }
  double evaluate(Subset in) const { return sum<double>(in); }
  TableState at(std::span<const double> x) const { return {values, x}; }
  TableSet empty_set() const { return {values, n}; }
  void show_terms(TermVisitor& visitor, double weight) const {
    using Kind = OneTerm::Kind;
    for (const OneTerm& term : terms) {
      const double w = weight * term.w;
      if (term.kind == Kind::kConstant) visitor.constant(w);
      if (term.kind == Kind::kLinear) visitor.linear(term.members[0].index, w);
      if (term.kind == Kind::kPair) visitor.pair(term.members[0].index, term.members[1].index, w);
      if (term.kind == Kind::kProduct) visitor.product(term.members, w);
      if (term.kind == Kind::kBest) visitor.best(term.members, w);
      if (term.kind == Kind::kCover) visitor.cover(term.members, w);
      if (term.kind == Kind::kCut) visitor.cut(term.edge, w);
      if (term.kind == Kind::kConcave) visitor.concave(term.members, term.shape, w);
    }
  }
};

inline TermModel make_term_model(Index n, std::vector<OneTerm> terms) {
  TermModel model{n, std::move(terms), {}};
  std::vector<std::uint8_t> in(n);
  for (std::size_t code = 0; code < std::size_t{1} << n; ++code) {
    for (Index i = 0; i < n; ++i) in[i] = code >> i & 1;
    model.values.push_back(model.evaluate(in));
  }
  return model;
}

}  // namespace surefield::torture
