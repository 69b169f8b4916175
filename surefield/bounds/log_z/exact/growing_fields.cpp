#include "surefield/bounds/log_z/exact/growing_fields.hpp"

#include <numeric>

#include "surefield/bounds/log_z/exact/item_places.hpp"

namespace surefield {

GrowingField::GrowingField(const PairwiseField& model, const FreeItems& which)
    : field_(which.free.size()) {
  const Index n = which.free.size();
  const auto place = places_of(which);
  auto set = model.empty_set();
  for (const Index i : which.in) set.add(i);
  auto coupling = std::make_shared<std::vector<double>>(n * n, 0);
  for (Index k = 0; k < n; ++k) {
    const Index i = which.free[k];
    field_[k] = set.gain(i);
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e)
      if (const Index j = place[model.neighbour[e]]; j != kNotFree)
        (*coupling)[k * n + j] = model.coupling[e];
  }
  coupling_ = std::move(coupling);
}

GrowingMonomials::GrowingMonomials(const GibbsField& model, const FreeItems& which) {
  const Index n = which.free.size();
  const auto place = places_of(which);
  for (const Index i : which.free) field_.push_back(model.bias[i]);
  Tables tables;
  std::vector<std::vector<std::uint32_t>> variables;
  for (Index m = 0; m < model.monomials.groups(); ++m) {
    std::vector<std::uint32_t> open;
    bool out = false;
    for (const Entry& entry : model.monomials.of_group(m)) {
      out = out || which.value[entry.index] == 0;
      if (which.value[entry.index] == kFree)
        open.push_back(static_cast<std::uint32_t>(place[entry.index]));
    }
    if (out || open.empty()) continue;  // a monomial of items that are in is part of the start
    std::ranges::sort(open);
    if (open.size() == 1) {
      field_[open.front()] += model.coefficient[m];
    } else {
      tables.terms.push_back(
          {open[0], open[1], static_cast<std::uint32_t>(open.size() - 2), model.coefficient[m]});
      variables.push_back(std::move(open));
    }
  }
  std::vector<std::size_t> order(tables.terms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t m) { return tables.terms[m].second; });
  std::vector<Term> sorted;
  tables.of_item.resize(n);
  tables.open.assign(n, 0);
  for (std::uint32_t m = 0; m < order.size(); ++m) {
    sorted.push_back(tables.terms[order[m]]);
    const auto& open = variables[order[m]];
    for (std::size_t v = 1; v < open.size(); ++v) tables.of_item[open[v]].push_back(m);
    for (Index k = sorted.back().second + 1; k < n; ++k) tables.open[k] = m + 1;
  }
  tables.terms = std::move(sorted);
  in_.assign(tables.terms.size(), 0);
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

GrowingHypergraph::GrowingHypergraph(const HypergraphCut& model, const FreeItems& which) {
  const Index n = which.free.size();
  const auto place = places_of(which);
  struct Open {
    Sides sides;
    std::vector<End> ends;  // `edge` holds the place of the node for now
    Index lowest;
  };
  std::vector<Open> open;
  for (const Hyperedge& edge : model.hyperedges) {
    Open one{{0, 0}, {}, kNotFree};
    std::vector<End> by_place(n, End{0, 0, 0, edge.weight});
    for (const auto i : edge.tail) {
      if (which.value[i] == kFree) by_place[place[i]].tail = 1;
      one.sides.tail_inside += which.value[i] == 1;
    }
    for (const auto i : edge.head) {
      if (which.value[i] == kFree) by_place[place[i]].head = 1;
      one.sides.head_outside += which.value[i] != 1;
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      if (by_place[k].tail + by_place[k].head == 0) continue;
      by_place[k].edge = k;
      one.lowest = std::min<Index>(one.lowest, k);
      one.ends.push_back(by_place[k]);
    }
    if (!one.ends.empty()) open.push_back(std::move(one));
  }
  std::ranges::stable_sort(open, {}, &Open::lowest);
  Tables tables;
  for (const Index i : which.free) tables.bias.push_back(model.bias[i]);
  tables.ends.resize(n);
  tables.open.assign(n, 0);
  for (std::uint32_t e = 0; e < open.size(); ++e) {
    sides_.push_back(open[e].sides);
    for (const End& end : open[e].ends)
      tables.ends[end.edge].push_back({e, end.tail, end.head, end.weight});
    for (Index k = open[e].lowest + 1; k < n; ++k) tables.open[k] = e + 1;
  }
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

}  // namespace surefield
