#include "surefield/bounds/elbo/field_of_terms.hpp"

#include <utility>
#include <vector>

#include "surefield/models/graph_cut/graph_cut.hpp"

namespace surefield {
namespace {

class FieldTerms final : public FittingTerms {
 public:
  explicit FieldTerms(Index items) : bias_(items, 0) {}

  void constant(double w) override { constant_ += w; }
  void linear(Index i, double w) override { bias_[i] += w; }
  void pair(Index i, Index j, double w) override {
    edges_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), w});
  }

  std::optional<PairwiseField> finish() {
    if (!fits_) return std::nullopt;
    return make_pairwise_field(std::move(bias_), edges_, constant_);
  }

 private:
  double constant_ = 0;
  std::vector<double> bias_;
  std::vector<Edge> edges_;
};

}  // namespace

std::optional<PairwiseField> field_of_terms(const AnyModel& model) {
  if (const auto* field = model.as<PairwiseField>()) return *field;
  if (const auto* cut = model.as<GraphCut>()) return cut->field;
  if (!model.has_terms()) return std::nullopt;
  FieldTerms terms(model.size());
  model.show_terms(terms, 1, "field");
  return terms.finish();
}

}  // namespace surefield
