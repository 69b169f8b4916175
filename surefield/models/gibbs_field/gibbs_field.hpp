// Gibbs field of any finite order: a polynomial in the indicator of S.
//
//   F(S) = constant + sum_{i in S} bias_i + sum_{A subset of S} coefficient_A
//   m(x) = constant + sum_i bias_i x_i + sum_A coefficient_A prod_{i in A} x_i     |A| >= 2
//
// Submodular if and only if no pair ever attracts: for all i, j the sum of coefficient_A over the A
// that hold both and whose other variables are all in S is <= 0, whatever S. For orders up to three
// that is coefficient_ij + sum_k max(0, coefficient_ijk) <= 0.
//
// A product is rebuilt after as many replacements as it has factors, so that it never drifts.
// Cost: partial and set O(monomials of i), the latter amortised over the rebuilding, value
// O(n + monomials), gradient O(n + entries), memory O(n + entries).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/incidence.hpp"
#include "surefield/core/scaled_product.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct Monomial {
  std::vector<std::uint32_t> variables;  ///< different; in a made field two or more, ascending
  double coefficient = 0;
  bool operator==(const Monomial&) const = default;
};

struct GibbsField {
  static constexpr std::string_view kKind = "gibbs";
  class State;
  class Set;

  double constant = 0;  ///< F of the empty set
  std::vector<double> bias;
  std::vector<double> coefficient;  ///< per monomial
  Incidence monomials;              ///< group = monomial, entries (variable, 1), ascending
  /// How far the numbers of this model may be from those they were made of, summed over all terms.
  double inherited_error = 0;

  Index size() const { return bias.size(); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const;

  /// Every monomial once: by number of variables, then in lexicographic order.
  std::vector<Monomial> terms() const;
};

class GibbsField::State {
 public:
  State(const GibbsField& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const;
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v);

 private:
  void rebuild(Index a);

  const GibbsField* model_;
  std::vector<double> x_;
  std::vector<ScaledProduct> product_;   // per monomial: prod x
  std::vector<std::uint32_t> replaced_;  // factors of each monomial, since it was rebuilt
};

/// gain, add and remove O(monomials of i), value O(n + entries).
class GibbsField::Set {
 public:
  explicit Set(const GibbsField& model);

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const;
  double value() const { return model_->evaluate(chosen_); }
  void add(Index i);
  void remove(Index i);

 private:
  const GibbsField* model_;
  std::vector<std::uint8_t> chosen_;
  std::vector<std::uint32_t>
      missing_;  // per monomial: how many of its variables are not in the set
};

/// Terms over the same variables are added up exactly, then rounded once; those over one variable
/// join its bias, those over none the constant. Throws Error unless the variables of each term are
/// different and in range, and every number is finite.
GibbsField make_gibbs_field(std::vector<double> bias, std::span<const Monomial> terms,
                            double constant = 0);

/// Why F is not submodular, naming the pair; nothing if it is. Signs are decided exactly, whatever
/// cancels, except where a pair depends on more than 20 variables that cannot be told apart: then
/// the reason says so.
std::optional<std::string> submodularity_violation(const GibbsField& model);

/// For a field made of numbers that are themselves rounded, each coefficient by up to its noise:
/// lowers the coefficient of every pair that attracts, but by no more than the noise of its
/// monomials together, to where it does not, and adds what it lowered to inherited_error. One noise
/// a monomial.
void remove_attraction_within(GibbsField& model, std::span<const double> noise);

/// Sizes, rounding and submodularity, proved in gibbs_field_facts.cpp.
Facts facts_of(const GibbsField& model);

}  // namespace surefield
