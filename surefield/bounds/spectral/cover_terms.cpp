#include "surefield/bounds/spectral/cover_terms.hpp"

#include <algorithm>
#include <utility>

#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

namespace surefield {
namespace {

using Member = CoverTerms::Member;

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
    std::vector<Member> all;
    for (const Entry& member : members)
      if (member.value != 0) all.push_back(Member::covers(member.index, member.value));
    add(std::move(all), w);
  }

  void product(std::span<const Entry> members, double w) override {
    std::vector<Member> all;
    for (const Entry& member : members) all.push_back(Member::is_in(member.index));
    terms_.constant += w;
    add(std::move(all), -w);
  }

  void cut(const Hyperedge& edge, double w) override {
    std::vector<Member> meets, contains;
    for (const auto i : edge.tail) meets.push_back(Member::covers(i, 1));
    for (const auto i : edge.head) contains.push_back(Member::is_in(i));
    const bool apart = std::ranges::none_of(edge.head, [&](std::uint32_t i) {
      return std::ranges::find(edge.tail, i) != edge.tail.end();
    });
    std::vector<Member> both = contains;
    both.insert(both.end(), meets.begin(), meets.end());
    add(std::move(meets), w);
    terms_.constant -= w;
    add(std::move(contains), w);
    if (!apart) return;
    terms_.constant += w;
    add(std::move(both), -w);
  }

  std::optional<CoverTerms> finish() {
    if (!fits_) return std::nullopt;
    return std::move(terms_);
  }

 private:
  /// w (1 - prod m)
  void add(std::vector<Member> members, double w) {
    if (w == 0 || members.empty()) return;
    if (members.size() == 1) {
      terms_.constant += w * (1 - members[0].out);
      terms_.linear[members[0].item] += w * members[0].fall;
      return;
    }
    const bool covered =
        w > 0 && std::ranges::all_of(members, [](const Member& one) { return one.out == 1; });
    fits_ &= covered || members.size() <= CoverTerms::kFewMembers;
    terms_.concepts.push_back({w, std::move(members)});
  }

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
