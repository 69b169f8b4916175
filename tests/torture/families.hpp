// One random model of each family, from numbers that may be extreme. Making one may throw Error:
// sizes that do not add up to a double, a kernel that is not positive definite.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/torture/numbers.hpp"
#include "tests/torture/outside_models.hpp"

namespace surefield::torture {

inline constexpr std::array<std::string_view, 23> kFamilies{
    "flid",          "facility",    "coverage",       "pairwise",      "mixed field",
    "near field",    "cut",         "hypergraph cut", "gibbs",         "mixed gibbs",
    "near gibbs",    "concave",     "log det",        "black box",     "hidden black box",
    "outside table", "known table", "hidden table",   "outside terms", "sum",
    "nested sum",    "fldc",        "empty"};

class Maker {
 public:
  Maker(Index n, Random& random, Numbers& numbers) : n_(n), random_(random), numbers_(numbers) {}

  AnyModel make(std::string_view family) {
    if (family == "flid") return flid();
    if (family == "fldc") return fldc();
    if (family == "facility") return facility();
    if (family == "coverage") return coverage();
    if (family == "pairwise") return pairwise(-1);
    if (family == "mixed field") return pairwise(0);
    if (family == "near field") return near_field();
    if (family == "cut") return make_graph_cut(signed_list(), edges(1), random_.chance(0.5));
    if (family == "hypergraph cut") return hypergraph_cut();
    if (family == "gibbs") return gibbs(true);
    if (family == "mixed gibbs") return gibbs(false);
    if (family == "near gibbs") return near_gibbs();
    if (family == "concave") return concave();
    if (family == "log det") return log_det();
    if (family == "black box" || family == "hidden black box") {
      const auto table = values(family == "hidden black box");
      const Index samples = 1 + random_.below(4);
      return make_black_box(
          n_, [table](Subset in) { return table[code_of(in)]; }, samples, random_.bits());
    }
    if (family == "outside table") return TableModel{n_, values(false)};
    if (family == "known table") return KnownTableModel{{n_, values(false)}};
    if (family == "hidden table") return TableModel{n_, values(true)};
    if (family == "outside terms") return terms();
    if (family == "sum") return sum(false);
    if (family == "nested sum") return sum(true);
    return AnyModel(make_pairwise_field(std::vector<double>(n_, 0.0), {}));
  }

 private:
  std::vector<double> signed_list() {
    std::vector<double> list(n_);
    for (double& v : list) v = numbers_.either_sign();
    return list;
  }
  std::vector<std::vector<Entry>> groups(bool probabilities, bool whole = false) {
    std::vector<std::vector<Entry>> lists(n_ == 0 ? random_.below(2) : random_.below(5));
    for (auto& list : lists) list = members(probabilities, whole);
    return lists;
  }
  std::vector<Entry> members(bool probabilities, bool whole = false) {
    std::vector<Entry> list;
    const double density = random_.chance(0.4) ? 1 : random_.uniform();
    for (std::uint32_t i = 0; i < n_; ++i)
      if (random_.chance(density))
        list.push_back({i, whole           ? static_cast<double>(random_.below(4))
                           : probabilities ? numbers_.probability()
                                           : numbers_.size()});
    return list;
  }
  AnyModel flid() {
    const Index dimensions = random_.below(4);
    std::vector<double> weights(n_ * dimensions);
    for (double& w : weights) w = numbers_.size();
    return make_flid(signed_list(), std::move(weights), dimensions);
  }
  AnyModel fldc() {
    const Index dimensions = random_.below(3);
    const Index concepts = random_.below(3);
    std::vector<double> weights(n_ * dimensions);
    std::vector<double> coherence(n_ * concepts);
    for (double& w : weights) w = numbers_.size();
    for (double& v : coherence) v = random_.chance(0.3) ? 0 : numbers_.size();
    return make_fldc(signed_list(), std::move(weights), dimensions, std::move(coherence), concepts);
  }
  AnyModel facility() { return make_facility_location(signed_list(), groups(false)); }
  AnyModel coverage() {
    auto lists = groups(true);
    if (random_.chance(0.3))
      for (auto& list : lists)
        for (Entry& entry : list) entry.value = 1;
    std::vector<double> weights(lists.size());
    for (double& w : weights) w = numbers_.size();
    return make_coverage(signed_list(), std::move(weights), lists);
  }
  /// Of one sign, or of both where it is 0.
  std::vector<Edge> edges(double sign) {
    std::vector<Edge> list;
    const double density = random_.chance(0.3) ? 1 : random_.uniform();
    for (std::uint32_t i = 0; i < n_; ++i)
      for (std::uint32_t j = i + 1; j < n_; ++j)
        while (random_.chance(density * 0.95)) {
          list.push_back({i, j, sign == 0 ? numbers_.either_sign() : sign * numbers_.size()});
          if (random_.chance(0.9)) break;  // else one more, parallel
        }
    return list;
  }
  AnyModel pairwise(double sign) {
    return make_pairwise_field(signed_list(), edges(sign), numbers_.either_sign());
  }
  /// Submodular but for one coupling, which is barely positive, or sums up to barely so.
  AnyModel near_field() {
    auto list = edges(-1);
    if (n_ >= 2) {
      const double w = numbers_.size();
      list.push_back({0, 1, w});
      list.push_back(
          {0, 1, random_.chance(0.5) ? -w : -std::nextafter(w, random_.below(2) * 2 * w)});
      if (random_.chance(0.5)) list.push_back({0, 1, w * numbers_.power(-300, -12)});
    }
    return make_pairwise_field(signed_list(), list, numbers_.either_sign());
  }
  AnyModel hypergraph_cut() {
    std::vector<Hyperedge> list;
    for (Index e = random_.below(4); n_ > 0 && e-- > 0;) {
      auto tail = testing::random_variables(n_, 1 + random_.below(n_), random_);
      auto head = testing::random_variables(n_, 1 + random_.below(n_), random_);
      if (random_.chance(0.5)) head = tail;
      list.push_back({numbers_.size(), std::move(tail), std::move(head)});
    }
    return make_hypergraph_cut(signed_list(), std::move(list));
  }
  AnyModel gibbs(bool submodular) {
    std::vector<Monomial> list;
    for (Index t = random_.below(6); t-- > 0;) {
      Monomial term{testing::random_variables(n_, random_.below(6), random_),
                    numbers_.either_sign()};
      const Index k = term.variables.size();
      if (submodular && k == 2) term.coefficient = -std::abs(term.coefficient);
      for (Index a = 0; submodular && a < k && term.coefficient > 0; ++a)
        for (Index b = a + 1; b < k; ++b)
          list.push_back({{term.variables[a], term.variables[b]}, -term.coefficient});
      list.push_back(std::move(term));
    }
    return make_gibbs_field(signed_list(), list, numbers_.either_sign());
  }
  /// Pairs and triples that cancel to the last bit, or all but.
  AnyModel near_gibbs() {
    std::vector<Monomial> list;
    for (std::uint32_t i = 0; i + 2 < n_; ++i) {
      const double w = numbers_.size();
      double pay = -w;
      if (random_.chance(0.3)) pay = -std::nextafter(w, random_.chance(0.5) ? 0 : 2 * w);
      if (random_.chance(0.2)) pay = -w - 1;
      for (const auto& pair : {std::vector{i, i + 1}, {i, i + 2}, {i + 1, i + 2}})
        list.push_back({pair, pay});
      list.push_back({{i, i + 1, i + 2}, w});
      if (random_.chance(0.2)) list.push_back({{i, i + 1}, w * numbers_.power(-300, -12)});
    }
    return make_gibbs_field(signed_list(), list, numbers_.either_sign());
  }
  Concave shape() {
    constexpr std::array kKinds{Concave::Kind::kPower, Concave::Kind::kLog, Concave::Kind::kRatio,
                                Concave::Kind::kSaturating, Concave::Kind::kTruncated};
    Concave shape{kKinds[random_.below(kKinds.size())], 0};
    if (shape.kind == Concave::Kind::kPower) {
      constexpr std::array kPowers{0.5, 0.5, 1.0, 0.1, 0.99, 1e-3};
      shape.parameter = kPowers[random_.below(kPowers.size())];
    }
    if (shape.kind == Concave::Kind::kTruncated)
      shape.parameter = static_cast<double>(1 + random_.below(5));
    return shape;
  }
  AnyModel concave() {
    // A quadrature is found anew for every model: few groups, else it is all that takes time.
    std::vector<ConcaveOverModular::Group> groups(random_.below(3));
    std::vector<std::vector<Entry>> lists;
    for (auto& group : groups) {
      group = {numbers_.size(), shape()};
      lists.push_back(
          members(false, group.shape.kind == Concave::Kind::kTruncated || random_.chance(0.5)));
    }
    return make_concave_over_modular(signed_list(), std::move(groups), lists);
  }
  AnyModel log_det() {
    const auto side = static_cast<Eigen::Index>(n_);
    Eigen::MatrixXd root(side, side);
    for (Eigen::Index i = 0; i < side; ++i)
      for (Eigen::Index j = 0; j < side; ++j) root(i, j) = random_.normal();
    const double ridge = random_.chance(0.5) ? 1 : numbers_.power(-14, 0);
    Eigen::MatrixXd kernel =
        root * root.transpose() + ridge * Eigen::MatrixXd::Identity(side, side);
    if (random_.chance(0.3)) kernel = kernel.diagonal().asDiagonal();
    if (random_.chance(0.4)) {
      Eigen::VectorXd scale(side);
      const double decades = random_.chance(0.5) ? 3 : 140;
      for (Eigen::Index i = 0; i < side; ++i) scale(i) = numbers_.power(-decades, decades);
      kernel = (scale.asDiagonal() * kernel * scale.asDiagonal()).eval();
    }
    kernel = (0.5 * (kernel + kernel.transpose())).eval();
    return make_log_det(kernel, 1 + random_.below(4), random_.bits());
  }
  /// F of all sets: of another family rounded, or whole numbers, exactly submodular; one set raised
  /// where it is hidden that F is not.
  std::vector<double> values(bool hidden) {
    constexpr std::array<std::string_view, 6> kInner{"facility", "coverage", "pairwise",
                                                     "cut",      "gibbs",    "flid"};
    const AnyModel inner = make(kInner[random_.below(kInner.size())]);
    std::vector<double> table;
    std::vector<std::uint8_t> in(n_);
    for (std::size_t code = 0; code < std::size_t{1} << n_; ++code) {
      for (Index i = 0; i < n_; ++i) in[i] = code >> i & 1;
      table.push_back(inner.evaluate(in));
    }
    require_finite(table);
    if (hidden) {
      double largest = 0;
      for (const double v : table) largest = std::max(largest, std::abs(v));
      table[random_.below(table.size())] += (random_.chance(0.5) ? 1 : -1) *
                                            std::max(largest, 1.0) *
                                            numbers_.power(-12, random_.chance(0.2) ? 8 : 1);
    }
    require_finite(table);
    return table;
  }
  static void require_finite(const std::vector<double>& values) {
    require(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }),
            "table: a value is not finite");
  }
  AnyModel terms() {
    using Kind = OneTerm::Kind;
    std::vector<OneTerm> list{{Kind::kConstant, numbers_.either_sign()}};
    for (std::uint32_t i = 0; i < n_; ++i)
      list.push_back({Kind::kLinear, numbers_.either_sign(), {{i, 0}}});
    for (Index t = random_.below(6); n_ >= 3 && t-- > 0;) {
      OneTerm term{static_cast<Kind>(2 + random_.below(6)), numbers_.size()};
      const Index k = term.kind == Kind::kPair ? 2 : 3 + random_.below(n_ - 2);
      for (const auto i : testing::random_variables(n_, k, random_))
        term.members.push_back(
            {i, term.kind == Kind::kCover ? numbers_.probability() : numbers_.size()});
      std::ranges::sort(term.members, {}, &Entry::value);
      if (term.kind == Kind::kPair || term.kind == Kind::kProduct) term.w *= -1;
      if (term.kind == Kind::kCut)
        term.edge = {1, testing::random_variables(n_, 1 + random_.below(n_), random_),
                     testing::random_variables(n_, 1 + random_.below(n_), random_)};
      if (term.kind == Kind::kConcave) {
        term.shape = shape();
        while (term.shape.kind == Concave::Kind::kTruncated) term.shape = shape();
      }
      if (random_.chance(0.03)) term.w *= -1;
      list.push_back(std::move(term));
    }
    TermModel model = make_term_model(n_, std::move(list));
    require_finite(model.values);
    return model;
  }
  AnyModel sum(bool nested) {
    constexpr std::array<std::string_view, 9> kParts{"flid",     "facility", "coverage",
                                                     "pairwise", "cut",      "hypergraph cut",
                                                     "gibbs",    "concave",  "log det"};
    std::vector<WeightedSum::Term> parts;
    for (Index t = 1 + random_.below(3); t-- > 0;) {
      AnyModel part =
          nested && random_.chance(0.6) ? sum(false) : make(kParts[random_.below(kParts.size())]);
      double weight = random_.chance(0.5) ? 1 : random_.uniform(0, 2);
      if (random_.chance(0.1)) weight = 0;
      if (random_.chance(0.1)) weight = numbers_.power(-300, 300);
      parts.push_back({weight, std::move(part)});
    }
    return make_weighted_sum(n_, std::move(parts));
  }

  Index n_;
  Random& random_;
  Numbers& numbers_;
};

}  // namespace surefield::torture
