#include "surefield/bounds/spectral/cover_terms.hpp"

#include <utility>

namespace surefield {
namespace {

class CoverVisitor final : public FittingTerms {
 public:
  explicit CoverVisitor(Index items) { terms_.linear.assign(items, 0); }

  void constant(double w) override { terms_.constant += w; }
  void linear(Index i, double w) override { terms_.linear[i] += w; }
  void pair(Index i, Index j, double w) override {
    if (w != 0)
      terms_.pairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), w});
  }

  void cover(std::span<const Entry> members, double w) override {
    CoverTerms::Cover cover{.weight = w, .members = {}};
    for (const Entry& member : members)
      if (member.value != 0) cover.members.push_back(member);
    if (w == 0 || cover.members.empty()) return;
    if (cover.members.size() == 1) {
      terms_.linear[cover.members[0].index] += w * cover.members[0].value;
      return;
    }
    fits_ &= w > 0;
    terms_.covers.push_back(std::move(cover));
  }

  std::optional<CoverTerms> finish() {
    if (!fits_) return std::nullopt;
    return std::move(terms_);
  }

 private:
  CoverTerms terms_;
};

}  // namespace

std::optional<CoverTerms> cover_terms(const AnyModel& model, double inverse_temperature) {
  if (!model.has_terms()) return std::nullopt;
  CoverVisitor terms(model.size());
  model.show_terms(terms, inverse_temperature, "cover terms");
  return terms.finish();
}

}  // namespace surefield
