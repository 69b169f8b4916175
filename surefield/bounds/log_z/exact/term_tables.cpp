#include "surefield/bounds/log_z/exact/term_tables.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

namespace surefield {
namespace {

class TableTerms final : public TermVisitor {
 public:
  explicit TableTerms(Index items) { graph_.variables = items; }

  void constant(double w) override {
    if (w != 0) graph_.factors.push_back({{}, {w}});
  }
  void linear(Index i, double w) override {
    if (w != 0) graph_.factors.push_back({{node(i)}, {0, w}});
  }
  void pair(Index i, Index j, double w) override {
    if (w != 0) graph_.factors.push_back({{node(i), node(j)}, {0, 0, 0, w}});
  }
  void product(std::span<const Entry> members, double w) override {
    table("a product", nodes(members), w, [&](auto&& in) {
      for (Index m = 0; m < members.size(); ++m)
        if (!in(m)) return 0.0;
      return 1.0;
    });
  }
  void best(std::span<const Entry> members, double w) override {
    table("a best item", nodes(members), w, [&](auto&& in) {
      for (Index m = members.size(); m-- > 0;)  // by ascending value
        if (in(m)) return members[m].value;
      return 0.0;
    });
  }
  void cover(std::span<const Entry> members, double w) override {
    table("a concept", nodes(members), w, [&](auto&& in) {
      double missed = 1;
      for (Index m = 0; m < members.size(); ++m)
        if (in(m)) missed *= 1 - members[m].value;
      return 1 - missed;
    });
  }
  void cut(const Hyperedge& edge, double w) override {
    std::vector<std::uint32_t> all = edge.tail;
    all.insert(all.end(), edge.head.begin(), edge.head.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    table("a hyperedge", all, w, [&](auto&& in) {
      const auto inside = [&](std::uint32_t v) {
        return in(static_cast<Index>(std::ranges::lower_bound(all, v) - all.begin()));
      };
      return std::ranges::any_of(edge.tail, inside) && !std::ranges::all_of(edge.head, inside)
                 ? 1.0
                 : 0.0;
    });
  }
  void concave(std::span<const Entry> members, const Concave& shape, double w) override {
    table("a concave group", nodes(members), w, [&](auto&& in) {
      double sum = 0;
      for (Index m = 0; m < members.size(); ++m)
        if (in(m)) sum += members[m].value;
      return shape(sum);
    });
  }

  FactorGraph take() { return std::move(graph_); }

 private:
  static std::uint32_t node(Index i) { return static_cast<std::uint32_t>(i); }
  static std::vector<std::uint32_t> nodes(std::span<const Entry> members) {
    std::vector<std::uint32_t> result;
    for (const Entry& member : members) result.push_back(member.index);
    return result;
  }

  /// w value(in), where in(m) says whether member m is in; the last member varies fastest.
  template <class Value>
  void table(std::string_view what, std::vector<std::uint32_t> members, double w, Value&& value) {
    if (w == 0) return;
    const Index k = members.size();
    require(k <= kLargestTable, "elimination: ", what, " has ", k,
            " items, more than a table's limit of ", kLargestTable);
    Factor factor{std::move(members), std::vector<double>(Index{1} << k)};
    for (Index code = 0; code < factor.log_table.size(); ++code)
      factor.log_table[code] = w * value([&](Index m) { return ((code >> (k - 1 - m)) & 1) != 0; });
    graph_.factors.push_back(std::move(factor));
  }

  FactorGraph graph_;
};

}  // namespace

FactorGraph term_tables(const AnyModel& model) {
  TableTerms tables(model.size());
  model.show_terms(tables, 1, "elimination");
  return tables.take();
}

}  // namespace surefield
