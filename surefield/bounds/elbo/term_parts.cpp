#include "surefield/bounds/elbo/term_parts.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/field_parts.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

template class DualDecomposition<TermPart>;

namespace {

class PartTerms final : public FittingTerms {
 public:
  explicit PartTerms(Index items) : linear_(items, 0) {}

  void constant(double w) override { constant_ += w; }
  void linear(Index i, double w) override { linear_[i] += w; }
  void pair(Index i, Index j, double w) override {
    if (w != 0) edges_.push_back({node(i), node(j), w});
  }

  void best(std::span<const Entry> members, double w) override {
    if (w == 0) return;
    std::vector<std::uint32_t> items;
    std::vector<double> weight;
    for (const Entry& member : members) {
      if (member.value == 0) continue;  // never the best of any set but by a tie with none
      items.push_back(member.index);
      weight.push_back(w * member.value);
    }
    std::vector<double> sure(items.size(), 1);
    add(items, weight, sure, has_bests_);
  }

  void cover(std::span<const Entry> members, double w) override {
    if (w == 0) return;
    std::vector<std::uint32_t> items;
    std::vector<double> chance;
    for (const Entry& member : members) {
      if (member.value == 0) continue;
      items.push_back(member.index);
      chance.push_back(member.value);
    }
    const std::vector<double> weight(items.size(), w);
    add(items, weight, chance, has_covers_);
  }

  std::optional<TermParts> finish() {
    if (!fits_) return std::nullopt;
    if (!edges_.empty())
      for (StarPart& star :
           stars_of(make_pairwise_field(std::vector<double>(linear_.size(), 0), edges_)))
        parts_.emplace_back(std::move(star));
    return TermParts{
        .dual = DualDecomposition<TermPart>(std::move(parts_), std::move(linear_), constant_),
        .has_pairs = !edges_.empty(),
        .has_covers = has_covers_,
        .has_bests = has_bests_};
  }

 private:
  static std::uint32_t node(Index i) { return static_cast<std::uint32_t>(i); }

  void add(const std::vector<std::uint32_t>& items, const std::vector<double>& weight,
           const std::vector<double>& chance, bool& kind) {
    if (items.empty()) return;
    if (items.size() == 1) {
      linear_[items[0]] += weight[0] * chance[0];
      return;
    }
    for (const double value : weight) fits_ &= value >= 0;
    if (!fits_) return;
    kind = true;
    parts_.emplace_back(MaxPart(items, weight, chance));
  }

  std::vector<double> linear_;
  double constant_ = 0;
  std::vector<TermPart> parts_;
  std::vector<Edge> edges_;
  bool has_bests_ = false, has_covers_ = false;
};

}  // namespace

std::optional<TermParts> term_parts(const AnyModel& model, double inverse_temperature) {
  require(std::isfinite(inverse_temperature) && inverse_temperature > 0,
          "dual decomposition: the inverse temperature is ", inverse_temperature,
          ", which must be finite and > 0");
  if (!model.has_terms()) return std::nullopt;
  PartTerms terms(model.size());
  model.show_terms(terms, inverse_temperature, "dual decomposition");
  return terms.finish();
}

}  // namespace surefield
