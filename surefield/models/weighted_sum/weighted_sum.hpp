// A weighted sum of set functions over the same items: F(S) = sum_t weight_t F_t(S).
//
// Submodular if every term is and no weight is negative. Its multilinear extension is the weighted
// sum of the terms' extensions, so its state is one state per term. Cost: the sum of the terms'
// costs, plus one virtual call per term and question. The product of two models, p'(S) p''(S), whose
// mass is the posterior agreement of the two, is such a sum.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/models/any_model.hpp"

namespace surefield {

struct WeightedSum {
  static constexpr std::string_view kKind = "sum";
  struct Term {
    double weight;
    AnyModel model;
  };
  class State;
  class Set;

  Index items = 0;
  std::vector<Term> terms;

  Index size() const { return items; }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  bool has_terms() const;  ///< whether all models of weight other than 0 have simple terms
  void show_terms(TermVisitor& visitor, double weight) const;
};

class WeightedSum::State {
 public:
  State(const WeightedSum& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const;
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v);

 private:
  struct Part {
    double weight;
    AnyState state;
  };
  std::vector<double> x_;
  std::vector<Part> parts_;
};

class WeightedSum::Set {
 public:
  explicit Set(const WeightedSum& model);

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const;
  double value() const;
  void add(Index i);
  void remove(Index i);

 private:
  struct Part {
    double weight;
    AnySet set;
  };
  std::vector<std::uint8_t> chosen_;
  std::vector<Part> parts_;
};

/// Throws Error unless all terms have `items` items and every weight is finite.
WeightedSum make_weighted_sum(Index items, std::vector<WeightedSum::Term> terms);

/// Those of the parts, weighted and added up. Proved submodular if all parts are and no weight is
/// negative, assumed if some are only assumed to be, else violated, naming the term.
Facts facts_of(const WeightedSum& model);

}  // namespace surefield
