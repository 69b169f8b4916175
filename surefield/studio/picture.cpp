#include "surefield/studio/picture.hpp"

#include <string_view>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/terms.hpp"
#include "surefield/report/json_number.hpp"

namespace surefield::studio {
namespace {

constexpr std::size_t kMostNumbers = 40000;
constexpr Index kMostItems = 150;

class PictureTerms final : public TermVisitor {
 public:
  explicit PictureTerms(Index items) : linear_(items, 0), numbers_(items) {
    whole_ = numbers_ <= kMostNumbers;
  }

  void constant(double) override {}
  void linear(Index i, double w) override { linear_[i] += w; }
  void pair(Index i, Index j, double w) override {
    if (fits(3)) pairs_.push_back({i, j, w});
  }
  void product(std::span<const Entry> members, double w) override { group("product", members, w); }
  void best(std::span<const Entry> members, double w) override { group("best", members, w); }
  void cover(std::span<const Entry> members, double w) override { group("cover", members, w); }
  void concave(std::span<const Entry> members, const Concave&, double w) override {
    group("concave", members, w);
  }
  void cut(const Hyperedge& edge, double w) override {
    if (!fits(edge.tail.size() + edge.head.size())) return;
    OrderedJson members = OrderedJson::array();
    for (const Index i : edge.tail) members.push_back({i, 1});
    if (edge.head != edge.tail)
      for (const Index i : edge.head) members.push_back({i, 1});
    groups_.push_back({{"kind", "cut"}, {"weight", w}, {"members", members}});
  }

  OrderedJson finish() {
    OrderedJson linear = OrderedJson::array();
    if (linear_.size() <= kMostNumbers)
      for (const double w : linear_) linear.push_back(json_number(w));
    return {{"linear", linear}, {"pairs", pairs_}, {"groups", groups_}, {"whole", whole_}};
  }

 private:
  bool fits(std::size_t numbers) {
    numbers_ += numbers;
    whole_ &= numbers_ <= kMostNumbers;
    return numbers_ <= kMostNumbers;
  }
  void group(std::string_view kind, std::span<const Entry> members, double w) {
    if (!fits(2 * members.size())) return;
    OrderedJson list = OrderedJson::array();
    for (const Entry& member : members) list.push_back({member.index, member.value});
    groups_.push_back({{"kind", kind}, {"weight", w}, {"members", list}});
  }

  std::vector<double> linear_;
  std::size_t numbers_;  // shown so far; items first, since a grid can be drawn of them alone
  OrderedJson pairs_ = OrderedJson::array(), groups_ = OrderedJson::array();
  bool whole_ = true;
};

/// The gains on the empty set.
std::vector<double> gains_alone(const AnyModel& model) {
  std::vector<double> alone(model.size());
  const AnySet none = model.empty_set();
  for (Index i = 0; i < alone.size(); ++i) alone[i] = none.gain(i);
  return alone;
}

OrderedJson interaction_rows(const AnyModel& model, const std::vector<double>& alone) {
  const Index n = model.size();
  if (n > kMostItems || is_estimated(model)) return nullptr;
  AnySet set = model.empty_set();
  OrderedJson rows = OrderedJson::array();
  for (Index i = 0; i < n; ++i) {
    set.add(i);
    OrderedJson row = OrderedJson::array();
    for (Index j = 0; j < n; ++j)
      row.push_back(j == i ? OrderedJson(0) : json_number(set.gain(j) - alone[j]));
    rows.push_back(row);
    set.remove(i);
  }
  return rows;
}

}  // namespace

OrderedJson picture_of(const AnyModel& model) {
  OrderedJson picture{{"linear", OrderedJson::array()},
                      {"pairs", OrderedJson::array()},
                      {"groups", OrderedJson::array()},
                      {"whole", true}};
  if (model.has_terms()) {
    PictureTerms terms(model.size());
    model.show_terms(terms, 1, "picture");
    picture = terms.finish();
  }
  picture["alone"] = OrderedJson::array();
  if (model.size() > kMostNumbers) return picture;
  const std::vector<double> alone = gains_alone(model);
  for (const double gain : alone) picture["alone"].push_back(json_number(gain));
  picture["interaction"] = interaction_rows(model, alone);
  return picture;
}

OrderedJson summary_of(const ShelfFile& file) {
  return {{"id", file.id},
          {"name", file.name},
          {"holds", file.model ? "model" : "sets"},
          {"kind", file.model ? std::string(kind_of(file.model->model)) : std::string("sets")},
          {"n", file.model ? size_of(file.model->model) : file.sets->items}};
}

OrderedJson description_of(const ShelfFile& file) {
  OrderedJson out = summary_of(file);
  if (file.model) {
    const ModelFile& model = *file.model;
    out["items"] = model.items;
    const auto violation = submodularity_violation(model.model);
    out["violation"] = violation ? OrderedJson(*violation) : OrderedJson(nullptr);
    OrderedJson fixed = OrderedJson::array();
    for (Index i = 0; i < model.box.size(); ++i)
      if (model.box.low[i] > 0 || model.box.high[i] < 1)
        fixed.push_back({i, model.box.low[i], model.box.high[i]});
    out["box"] = fixed;
    out["picture"] = picture_of(model.model);
    return out;
  }
  const SetCollection& data = *file.sets;
  std::vector<std::size_t> counts(data.items, 0), sizes;
  for (const auto& set : data.sets) {
    for (const auto i : set) ++counts[i];
    if (sizes.size() <= set.size()) sizes.resize(set.size() + 1, 0);
    ++sizes[set.size()];
  }
  out["items"] = data.names;
  out["sets"] = data.sets.size();
  out["counts"] = counts;
  out["sizes"] = sizes;
  out["understood"] = file.understood;
  return out;
}

}  // namespace surefield::studio
