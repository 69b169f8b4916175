#include "surefield/bounds/log_z/hoelder/hoelder_split.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/bounds/log_z/free_items.hpp"

namespace surefield {
namespace {

class Splitter {
 public:
  Splitter(Index n, const Box* box) : fixed_(free_items(box, n, "hoelder")), position_(n, 0) {
    for (std::uint32_t k = 0; k < fixed_.free.size(); ++k) position_[fixed_.free[k]] = k;
    modular_.resize(fixed_.free.size());
  }

  void add(const Flid& model, double weight) { add(model.facility, weight); }
  void add(const GraphCut& model, double weight) { add(model.field, weight); }

  void add(const FacilityLocation& model, double weight) {
    bool any_in = false;
    for (Index i = 0; i < model.size(); ++i) {
      linear(i, -weight * model.cost[i]);
      any_in |= fixed_.value[i] == 1;
    }
    for (Index d = 0; d < model.forest.lists(); ++d) {
      double base = -kInfinity;  // the best of the items that are in for sure
      Index listed_in = 0;
      for (const auto& [item, w] : model.forest.of_list(d)) {
        split_.magnitude += std::abs(weight * w);
        if (fixed_.value[item] != 1) continue;
        base = std::max(base, w);
        ++listed_in;
      }
      if (listed_in == 0) base = 0;  // items are left out of a list only if all its weights are > 0
      if (any_in) constant_.add(weight * base);
      BestItemPiece piece;
      for (const auto& [item, w] : model.forest.of_list(d)) {
        if (fixed_.value[item] != kFree || (any_in && w <= base)) continue;
        piece.items.push_back(position_[item]);
        piece.weight.push_back(weight * (any_in ? w - base : w));
      }
      if (piece.items.size() == 1)
        modular_[piece.items[0]].add(piece.weight[0]);
      else if (!piece.items.empty())
        split_.pieces.emplace_back(std::move(piece));
    }
  }

  void add(const Coverage& model, double weight) {
    for (Index i = 0; i < model.size(); ++i) linear(i, -weight * model.cost[i]);
    for (Index c = 0; c < model.members.groups(); ++c) {
      const double w = weight * model.concept_weight[c];
      const auto entries = model.members.of_group(c);
      automaton(items_of(entries),
                {1,
                 [entries](double s, std::size_t m, bool in) {
                   return in ? s * (1 - entries[m].value) : s;
                 },
                 [w](double s) { return w * (1 - s); }},
                std::abs(w));
    }
  }

  void add(const PairwiseField& model, double weight) {
    constant(weight * model.constant);
    for (Index i = 0; i < model.size(); ++i) linear(i, weight * model.bias[i]);
    for (const auto& [from, to, coupling] : model.edges()) pair(from, to, weight * coupling);
  }

  void add(const GibbsField& model, double weight) {
    constant(weight * model.constant);
    for (Index i = 0; i < model.size(); ++i) linear(i, weight * model.bias[i]);
    for (Index a = 0; a < model.monomials.groups(); ++a) {
      const double w = weight * model.coefficient[a];
      const auto entries = model.monomials.of_group(a);
      std::vector<std::uint32_t> open;
      bool possible = true;
      for (const auto& entry : entries) {
        possible &= fixed_.value[entry.index] != 0;
        if (fixed_.value[entry.index] == kFree) open.push_back(entry.index);
      }
      if (possible && open.size() == 2) {
        pair(open[0], open[1], w);
        continue;
      }
      automaton(items_of(entries),
                {1, [](double s, std::size_t, bool in) { return in ? s : 0.0; },
                 [w](double s) { return w * s; }},
                std::abs(w));
    }
  }

  void add(const HypergraphCut& model, double weight) {
    for (Index i = 0; i < model.size(); ++i) linear(i, weight * model.bias[i]);
    for (const auto& edge : model.hyperedges) {  // state: 2 [tail met] + [head broken]
      const double w = weight * edge.weight;
      std::vector<std::uint32_t> nodes = edge.tail;
      nodes.insert(nodes.end(), edge.head.begin(), edge.head.end());
      std::ranges::sort(nodes);
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      std::vector<std::uint8_t> tail, head;
      for (const auto node : nodes) {
        tail.push_back(std::ranges::find(edge.tail, node) != edge.tail.end());
        head.push_back(std::ranges::find(edge.head, node) != edge.head.end());
      }
      automaton(
          nodes,
          {0,
           [&](double s, std::size_t m, bool in) {
             const int state = static_cast<int>(s);
             return static_cast<double>(in ? state | (tail[m] ? 2 : 0) : state | (head[m] ? 1 : 0));
           },
           [w](double s) { return s == 3 ? w : 0.0; }},
          std::abs(w));
    }
  }

  void add(const ConcaveOverModular& model, double weight) {
    for (Index i = 0; i < model.size(); ++i) linear(i, weight * model.modular[i]);
    for (Index g = 0; g < model.groups.size(); ++g) {
      const double w = weight * model.groups[g].weight;
      const Concave shape = model.groups[g].shape;
      const auto entries = model.members.of_group(g);
      double all = 0;
      for (const auto& entry : entries) all += entry.value;
      automaton(
          items_of(entries),
          {0, [entries](double s, std::size_t m, bool in) { return in ? s + entries[m].value : s; },
           [w, shape](double s) { return w * shape(s); }},
          std::abs(w * shape(all)));
    }
  }

  void add(const LogDet&, double) { refuse(LogDet::kKind); }
  void add(const BlackBox&, double) { refuse(BlackBox::kKind); }
  void add(const WeightedSum& model, double weight) {
    for (const auto& term : model.terms)
      std::visit([&](const auto& part) { add(part, weight * term.weight); }, term.model);
  }

  HoelderSplit finish() {
    require(std::isfinite(split_.magnitude),
            "hoelder: the numbers of the model times the inverse "
            "temperature add up to ",
            split_.magnitude, ", which must be finite");
    split_.free = fixed_.free;
    split_.constant = constant_.value();
    for (const auto& sum : modular_) split_.modular.push_back(sum.value());
    std::ranges::sort(split_.edges, [](const Edge& a, const Edge& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    std::vector<Edge> merged;
    for (const Edge& edge : split_.edges) {
      if (!merged.empty() && merged.back().from == edge.from && merged.back().to == edge.to)
        merged.back().weight += edge.weight;
      else
        merged.push_back(edge);
    }
    std::erase_if(merged, [](const Edge& edge) { return edge.weight == 0; });
    split_.edges = std::move(merged);
    return std::move(split_);
  }

 private:
  [[noreturn]] static void refuse(std::string_view kind) {
    fail("hoelder: a model of the kind ", kind, " has no pieces that can be summed exactly");
  }

  static std::vector<std::uint32_t> items_of(std::span<const Entry> entries) {
    std::vector<std::uint32_t> items;
    for (const auto& entry : entries) items.push_back(entry.index);
    return items;
  }

  void constant(double value) {
    split_.magnitude += std::abs(value);
    constant_.add(value);
  }

  void linear(Index i, double value) {
    if (fixed_.value[i] != 0) split_.magnitude += std::abs(value);
    if (fixed_.value[i] == 1) constant_.add(value);
    if (fixed_.value[i] == kFree) modular_[position_[i]].add(value);
  }

  void pair(std::uint32_t i, std::uint32_t j, double value) {
    if (fixed_.value[i] == 0 || fixed_.value[j] == 0 || value == 0) return;
    if (fixed_.value[i] == 1) return linear(j, value);
    if (fixed_.value[j] == 1) return linear(i, value);
    split_.magnitude += std::abs(value);
    const auto [from, to] = std::minmax(position_[i], position_[j]);
    split_.edges.push_back({from, to, value});
  }

  void automaton(const std::vector<std::uint32_t>& members, const AutomatonRule& rule,
                 double magnitude) {
    if (magnitude == 0) return;
    split_.magnitude += magnitude;
    AutomatonPiece piece = make_automaton(members, fixed_.value, position_, rule);
    const auto [low, high] = std::ranges::minmax_element(piece.value);
    if (*low == *high) {
      constant_.add(*low);
    } else if (piece.items.size() == 1) {
      const double out = piece.value[piece.layers[0].out[0]];
      constant_.add(out);
      modular_[piece.items[0]].add(piece.value[piece.layers[0].in[0]] - out);
    } else {
      split_.pieces.emplace_back(std::move(piece));
    }
  }

  FreeItems fixed_;
  std::vector<std::uint32_t> position_;  // of a free item among the free ones
  HoelderSplit split_;
  CompensatedSum constant_;
  std::vector<CompensatedSum> modular_;
};

template <class M>
HoelderSplit split(const M& model, const Box* box, double beta) {
  require_positive_inverse_temperature(beta, "hoelder");
  Splitter splitter(model.size(), box);
  splitter.add(model, beta);
  return splitter.finish();
}

}  // namespace

HoelderSplit split_for_hoelder(const Flid& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const FacilityLocation& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const Coverage& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const PairwiseField& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const GraphCut& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const HypergraphCut& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const GibbsField& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const ConcaveOverModular& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const LogDet& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const BlackBox& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const WeightedSum& model, const Box* box, double beta) {
  return split(model, box, beta);
}
HoelderSplit split_for_hoelder(const AnyModel& model, const Box* box, double beta) {
  return std::visit([&](const auto& one) { return split(one, box, beta); }, model);
}

}  // namespace surefield
