// Every family once more, in quadruple precision: F(S) by definition and m(x) by its formula.
//
// 113 bits: a sum or product of 10^6 numbers is right to 1e-28 of their sizes, 10^12 times better
// than what is measured against it. Where a function other than + - * / is needed (concave shapes,
// log), 64 bits of a long double are: 5e-20 relative, 2000 times better.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield::testing {

__extension__ using Quad = __float128;

inline Quad size_of(Quad v) { return v < 0 ? -v : v; }

inline long double true_entropy(double x) {
  if (x <= 0 || x >= 1) return 0;
  const long double p = x;
  return -p * std::log(p) - (1 - p) * std::log1p(-p);
}

// ---- F(S), for enumeration ----

inline Quad exact_value(const PairwiseField& model, Subset in) {
  Quad sum = model.constant;
  for (Index i = 0; i < model.size(); ++i) sum += in[i] ? Quad(model.bias[i]) : 0;
  for (const auto& [from, to, weight] : model.edges()) sum += in[from] && in[to] ? Quad(weight) : 0;
  return sum;
}

inline Quad exact_value(const GraphCut& model, Subset in) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum += in[i] ? Quad(model.bias[i]) : 0;
  for (const auto& [from, to, weight] : model.edges)
    sum += (model.directed ? in[from] && !in[to] : in[from] != in[to]) ? Quad(weight) : 0;
  return sum;
}

inline Quad exact_value(const GibbsField& model, Subset in) {
  Quad sum = model.constant;
  for (Index i = 0; i < model.size(); ++i) sum += in[i] ? Quad(model.bias[i]) : 0;
  for (const auto& [variables, coefficient] : model.terms())
    if (std::ranges::all_of(variables, [&](auto i) { return in[i] != 0; })) sum += coefficient;
  return sum;
}

inline Quad exact_value(const HypergraphCut& model, Subset in) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum += in[i] ? Quad(model.bias[i]) : 0;
  const auto inside = [&](auto i) { return in[i] != 0; };
  for (const auto& [weight, tail, head] : model.hyperedges)
    if (std::ranges::any_of(tail, inside) && !std::ranges::all_of(head, inside)) sum += weight;
  return sum;
}

inline Quad exact_value(const Coverage& model, Subset in) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum -= in[i] ? Quad(model.cost[i]) : 0;
  for (Index c = 0; c < model.concept_weight.size(); ++c) {
    Quad missed = 1;
    for (const auto& [item, p] : model.members.of_group(c))
      if (in[item]) missed *= 1 - Quad(p);
    sum += model.concept_weight[c] * (1 - missed);
  }
  return sum;
}

inline Quad exact_value(const FacilityLocation& model, Subset in) {
  Quad sum = 0;
  const bool any = std::ranges::any_of(in, [](auto v) { return v != 0; });
  for (Index i = 0; i < model.size(); ++i) sum -= in[i] ? Quad(model.cost[i]) : 0;
  for (Index d = 0; any && d < model.benefit.groups(); ++d) {
    std::vector<double> worth(model.size(), 0);  // of items not listed
    for (const auto& [item, w] : model.benefit.of_group(d)) worth[item] = w;
    double best = -HUGE_VAL;
    for (Index i = 0; i < model.size(); ++i)
      if (in[i]) best = std::max(best, worth[i]);
    sum += best;
  }
  return sum;
}

inline Quad exact_value(const Flid& model, Subset in) {
  Quad sum = 0;
  bool any = false;
  for (Index i = 0; i < model.size(); ++i) {
    if (!in[i]) continue;
    any = true;
    sum += model.utility[i];
    for (Index d = 0; d < model.dimensions; ++d) sum -= model.weight(i, d);
  }
  for (Index d = 0; any && d < model.dimensions; ++d) {
    double best = -HUGE_VAL;
    for (Index i = 0; i < model.size(); ++i)
      if (in[i]) best = std::max(best, model.weight(i, d));
    sum += best;
  }
  return sum;
}

/// By the definition: utilities, then every dimension and every concept.
inline Quad exact_value(const Fldc& model, Subset in) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum += in[i] ? Quad(model.utility[i]) : 0;
  const auto all_but_best = [&](Index columns, auto&& entry) {
    Quad rest = 0;
    for (Index c = 0; c < columns; ++c) {
      double best = -HUGE_VAL;
      for (Index i = 0; i < model.size(); ++i) {
        if (!in[i]) continue;
        rest += entry(i, c);
        best = std::max(best, entry(i, c));
      }
      if (best > -HUGE_VAL) rest -= best;
    }
    return rest;
  };
  sum -= all_but_best(model.dimensions, [&](Index i, Index d) { return model.weight(i, d); });
  return sum + all_but_best(model.concepts, [&](Index i, Index e) { return model.together(i, e); });
}

inline long double exact_shape(const Concave& shape, long double y) {
  switch (shape.kind) {
    case Concave::Kind::kPower:
      return y == 0 ? 0 : std::pow(y, static_cast<long double>(shape.parameter));
    case Concave::Kind::kLog:
      return std::log1p(y);
    case Concave::Kind::kRatio:
      return y / (1 + y);
    case Concave::Kind::kSaturating:
      return -std::expm1(-y);
    case Concave::Kind::kTruncated:
      return std::min(y, static_cast<long double>(shape.parameter));
  }
  return 0;
}

inline Quad exact_value(const ConcaveOverModular& model, Subset in) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum += in[i] ? Quad(model.modular[i]) : 0;
  for (Index g = 0; g < model.groups.size(); ++g) {
    Quad y = 0;
    for (const auto& [item, m] : model.members.of_group(g)) y += in[item] ? Quad(m) : 0;
    sum += model.groups[g].weight *
           static_cast<Quad>(exact_shape(model.groups[g].shape, static_cast<long double>(y)));
  }
  return sum;
}

/// By L D L' in quadruple precision, so that a condition of 1e30 does no harm.
inline Quad exact_value(const LogDet& model, Subset in) {
  std::vector<Eigen::Index> members;
  for (Index i = 0; i < model.size(); ++i)
    if (in[i]) members.push_back(static_cast<Eigen::Index>(i));
  const std::size_t k = members.size();
  std::vector<Quad> a(k * k);
  for (std::size_t r = 0; r < k; ++r)
    for (std::size_t c = 0; c < k; ++c) a[r * k + c] = model.kernel(members[r], members[c]);
  Quad sum = 0;
  for (std::size_t p = 0; p < k; ++p) {
    const Quad pivot = a[p * k + p];
    sum += static_cast<Quad>(std::log(static_cast<long double>(pivot)));
    for (std::size_t r = p + 1; r < k; ++r)
      for (std::size_t c = p + 1; c < k; ++c) a[r * k + c] -= a[r * k + p] / pivot * a[p * k + c];
  }
  return sum;
}

/// m(x) over all sets, O(2^n).
template <class M>
Quad enumerated(const M& model, std::span<const double> x) {
  const Index n = model.size();
  std::vector<Quad> value(std::size_t{1} << n);
  std::vector<std::uint8_t> in(n);
  for (std::size_t code = 0; code < value.size(); ++code) {
    for (Index i = 0; i < n; ++i) in[i] = code >> i & 1;
    value[code] = exact_value(model, in);
  }
  for (Index i = n; i-- > 0;)
    for (std::size_t code = 0; code < std::size_t{1} << i; ++code)
      value[code] = (1 - Quad(x[i])) * value[code] + x[i] * value[code + (std::size_t{1} << i)];
  return value[0];
}

// ---- m(x) by formula, for large n ----

inline Quad exact_extension(const PairwiseField& model, std::span<const double> x) {
  Quad sum = model.constant;
  for (Index i = 0; i < model.size(); ++i) {
    Quad field = model.bias[i];
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e)
      if (model.neighbour[e] > i) field += Quad(model.coupling[e]) * x[model.neighbour[e]];
    sum += field * x[i];
  }
  return sum;
}

inline Quad exact_extension(const GraphCut& model, std::span<const double> x) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum += Quad(model.bias[i]) * x[i];
  for (const auto& [from, to, weight] : model.edges) {
    Quad cut = x[from] * (1 - Quad(x[to]));
    if (!model.directed) cut += x[to] * (1 - Quad(x[from]));
    sum += weight * cut;
  }
  return sum;
}

inline Quad exact_extension(const GibbsField& model, std::span<const double> x) {
  Quad sum = model.constant;
  for (Index i = 0; i < model.size(); ++i) sum += Quad(model.bias[i]) * x[i];
  for (Index a = 0; a < model.coefficient.size(); ++a) {
    Quad product = model.coefficient[a];
    for (const Entry& entry : model.monomials.of_group(a)) product *= x[entry.index];
    sum += product;
  }
  return sum;
}

inline Quad exact_extension(const HypergraphCut& model, std::span<const double> x) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum += Quad(model.bias[i]) * x[i];
  for (Index e = 0; e < model.hyperedges.size(); ++e) {
    Quad t = 1;
    Quad h = 1;
    for (const auto i : model.hyperedges[e].tail) t *= 1 - Quad(x[i]);
    for (const auto i : model.hyperedges[e].head) h *= x[i];
    sum += model.hyperedges[e].weight * (model.overlapping[e] ? 1 - t - h : (1 - t) * (1 - h));
  }
  return sum;
}

inline Quad exact_extension(const Coverage& model, std::span<const double> x) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum -= Quad(model.cost[i]) * x[i];
  for (Index c = 0; c < model.concept_weight.size(); ++c) {
    Quad missed = 1;
    for (const auto& [item, p] : model.members.of_group(c)) missed *= 1 - Quad(p) * x[item];
    sum += model.concept_weight[c] * (1 - missed);
  }
  return sum;
}

inline Quad exact_extension(const FacilityLocation& model, std::span<const double> x) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) sum -= Quad(model.cost[i]) * x[i];
  for (Index d = 0; d < model.forest.lists(); ++d) {
    Quad best = 0;
    for (const auto& [item, w] : model.forest.of_list(d))
      best = (1 - Quad(x[item])) * best + Quad(x[item]) * w;
    sum += best;
  }
  return sum;
}

inline Quad exact_extension(const Flid& model, std::span<const double> x) {
  Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i) {
    Quad cost = -model.utility[i];
    for (Index d = 0; d < model.dimensions; ++d) cost += model.weight(i, d);
    sum -= (cost - model.facility.cost[i]) * x[i];
  }
  return sum + exact_extension(model.facility, x);
}

}  // namespace surefield::testing
