// A weighted sum of set functions over the same items: F(S) = sum_t weight_t F_t(S).
//
// Submodular if every term is and no weight is negative. Its multilinear extension is the weighted
// sum of the terms' extensions, so its state is one state per term. Cost: the sum of the terms'
// costs, plus one variant visit per term and call. The product of two models, p'(S) p''(S), whose
// mass is the posterior agreement of the two, is such a sum.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "surefield/models/basic_model.hpp"

namespace surefield {

namespace detail {

/// std::variant of the given types, each once.
template <class Variant, class... Ts>
struct Distinct;
template <class... Us>
struct Distinct<std::variant<Us...>> {
  using type = std::variant<Us...>;
};
template <class... Us, class T, class... Ts>
struct Distinct<std::variant<Us...>, T, Ts...>
    : std::conditional_t<(std::is_same_v<T, Us> || ...), Distinct<std::variant<Us...>, Ts...>,
                         Distinct<std::variant<Us..., T>, Ts...>> {};

template <class Variant>
struct PartsOf;
template <class... Ms>
struct PartsOf<std::variant<Ms...>> {
  using State = typename Distinct<std::variant<>, typename Ms::State...>::type;
  using Set = typename Distinct<std::variant<>, typename Ms::Set...>::type;
};

}  // namespace detail

struct WeightedSum {
  static constexpr std::string_view kKind = "sum";
  struct Term {
    double weight;
    BasicModel model;
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
    detail::PartsOf<BasicModel>::State state;
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
    detail::PartsOf<BasicModel>::Set set;
  };
  std::vector<std::uint8_t> chosen_;
  std::vector<Part> parts_;
};

/// Throws Error unless all terms have `items` items and every weight is finite.
WeightedSum make_weighted_sum(Index items, std::vector<WeightedSum::Term> terms);

/// Why the sum is not known to be submodular, naming the term; nothing if it is.
std::optional<std::string> submodularity_violation(const WeightedSum& model);

}  // namespace surefield
