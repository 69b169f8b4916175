#include "surefield/models/interaction.hpp"

#include <algorithm>
#include <utility>

#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

namespace surefield {
namespace {

class SharedTerms final : public TermVisitor {
 public:
  explicit SharedTerms(std::size_t most) : most_(most) {}

  void constant(double) override {}
  void linear(Index, double) override {}
  void pair(Index i, Index j, double w) override {
    if (w == 0 || !fits(2)) return;
    add(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  }
  void product(std::span<const Entry> members, double w) override { all_of(members, w); }
  void best(std::span<const Entry> members, double w) override { all_of(members, w); }
  void cover(std::span<const Entry> members, double w) override { all_of(members, w); }
  void concave(std::span<const Entry> members, const Concave&, double w) override {
    all_of(members, w);
  }
  void cut(const Hyperedge& edge, double w) override {
    std::vector<std::uint32_t> items = edge.tail;
    items.insert(items.end(), edge.head.begin(), edge.head.end());
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
    all_pairs(items, w);
  }

  bool few() const { return few_; }
  std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs() { return pairs_; }

 private:
  void all_of(std::span<const Entry> members, double w) {
    if (members.size() > most_) few_ = false;
    if (!few_) return;
    std::vector<std::uint32_t> items;
    for (const Entry& entry : members) items.push_back(entry.index);
    all_pairs(items, w);
  }

  void all_pairs(const std::vector<std::uint32_t>& items, double w) {
    if (w == 0 || items.size() < 2 || !fits(items.size() * (items.size() - 1))) return;
    for (std::size_t a = 0; a < items.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) add(items[a], items[b]);
  }

  bool fits(std::size_t more) {
    few_ = few_ && more <= most_ - pairs_.size();
    return few_;
  }

  void add(std::uint32_t i, std::uint32_t j) {
    if (i == j) return;
    pairs_.emplace_back(i, j);
    pairs_.emplace_back(j, i);
  }

  std::size_t most_;
  bool few_ = true;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace

std::optional<Interaction> interaction_of(const AnyModel& model, std::size_t most) {
  if (!model.has_terms()) return std::nullopt;
  SharedTerms terms(most);
  model.show_terms(terms, 1, "interaction");
  if (!terms.few()) return std::nullopt;
  auto& pairs = terms.pairs();
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Interaction found;
  found.start.assign(model.size() + 1, 0);
  found.neighbour.reserve(pairs.size());
  for (const auto& [i, j] : pairs) {
    found.start[i + 1] += 1;
    found.neighbour.push_back(j);
  }
  for (Index i = 0; i < model.size(); ++i) found.start[i + 1] += found.start[i];
  return found;
}

}  // namespace surefield
