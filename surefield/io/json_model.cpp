#include "surefield/io/json_model.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "surefield/core/ordered_json.hpp"
#include "surefield/io/json_forms.hpp"
#include "surefield/io/text_scanner.hpp"
#include "surefield/io/utf8.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {
namespace {

struct JsonKind {
  std::string_view kind;
  AnyModel (*read)(const JsonCursor& object);
  /// Whether the model is of this kind; if so, its keys are added.
  bool (*write)(const AnyModel& model, OrderedJson& object);
};

template <class M>
constexpr JsonKind row() {
  return {M::kKind, [](const JsonCursor& object) -> AnyModel { return model_from_json<M>(object); },
          [](const AnyModel& model, OrderedJson& object) {
            const M* const own = model.as<M>();
            if (own != nullptr) add_to_json(*own, object);
            return own != nullptr;
          }};
}

constexpr std::array kKinds{row<Flid>(),          row<Fldc>(),          row<FacilityLocation>(),
                            row<Coverage>(),      row<PairwiseField>(), row<GraphCut>(),
                            row<HypergraphCut>(), row<GibbsField>(),    row<ConcaveOverModular>(),
                            row<LogDet>()};

AnyModel any_model_of(const JsonCursor& object);

WeightedSum sum_of(const JsonCursor& object) {
  object.allow_only({"terms"}, model_keys(object));
  const auto list = object.at("terms");
  if (list.size() == 0) list.fail_here("is empty, but a sum must have one or more terms");
  std::vector<WeightedSum::Term> terms;
  for (Index t = 0; t < list.size(); ++t) {
    const auto term = list.element(t);
    term.allow_only({"weight", "model"});
    terms.push_back({term.at("weight").number(), any_model_of(term.at("model"))});
  }
  const Index items = terms[0].model.size();
  return object.making([&] { return make_weighted_sum(items, std::move(terms)); });
}

AnyModel any_model_of(const JsonCursor& object) {
  const auto kind = object.at("kind");
  if (kind.text() == WeightedSum::kKind) return sum_of(object);
  for (const JsonKind& known : kKinds)
    if (known.kind == kind.text()) return known.read(object);
  std::string list;
  for (const JsonKind& known : kKinds) list.append(list.empty() ? "" : ", ").append(known.kind);
  kind.refuse(message("one of ", list, ", sum"));
}

std::vector<std::string> names_of(const JsonCursor& object, Index items) {
  std::vector<std::string> names;
  if (const auto list = object.find("items")) {
    if (list->size() != items)
      list->fail_here("has ", list->size(), " names, but there are ", items, " items");
    for (Index i = 0; i < items; ++i) names.push_back(list->element(i).text());
  }
  return names;
}

Box box_of(const JsonCursor& object, Index items) {
  const auto place = object.find("box");
  if (!place) return unit_box(items);
  place->allow_only({"low", "high"});
  const Box box{place->at("low").numbers(), place->at("high").numbers()};
  return place->making([&] {
    require_inside_unit(box, items);
    return box;
  });
}

void write_model(const AnyModel& model, OrderedJson& object) {
  object["kind"] = model.kind();
  for (const JsonKind& known : kKinds)
    if (known.write(model, object)) return;
  const auto* const sum = model.as<WeightedSum>();
  require(sum != nullptr, "a ", model.kind(), " model is code, which no file can hold");
  require(!sum->terms.empty(), "a sum without terms cannot be written");
  auto& list = object["terms"] = OrderedJson::array();
  for (const auto& [weight, part] : sum->terms) {
    auto& term = list.emplace_back();
    term["weight"] = weight;
    write_model(part, term["model"]);
  }
}

/// A key a line, and an element a line for arrays of arrays or objects: readable, and short enough
/// to compare by line.
std::string laid_out(const OrderedJson& object) {
  std::string text = "{";
  for (auto member = object.begin(); member != object.end(); ++member) {
    text.append(member == object.begin() ? "\n  " : ",\n  ")
        .append(OrderedJson(member.key()).dump())
        .append(": ");
    const auto& value = member.value();
    if (!value.is_array() || value.empty() || !value[0].is_structured()) {
      text += value.dump();
      continue;
    }
    for (std::size_t i = 0; i < value.size(); ++i)
      text.append(i == 0 ? "[\n    " : ",\n    ").append(value[i].dump());
    text += "\n  ]";
  }
  return text + "\n}\n";
}

}  // namespace

ModelFile parse_json_model(std::string_view text, std::string_view name) {
  const nlohmann::json document = parse_json(text, name);
  const JsonCursor top(document, name);
  const auto version = top.at("surefield");
  if (version.text() != "1") version.refuse("'1', the version this program reads");
  AnyModel model = any_model_of(top);
  const Index items = size_of(model);
  return {std::move(model), names_of(top, items), box_of(top, items)};
}

std::string json_model_text(const ModelFile& file) {
  const Index items = size_of(file.model);
  require(file.items.empty() || file.items.size() == items, "json: there are ", file.items.size(),
          " names, but ", items, " items");
  for (const std::string& name : file.items)
    require(is_utf8(name), "json: the item name ", in_quotes(name), " is not UTF-8 text");
  require_inside_unit(file.box, items);
  OrderedJson object;
  object["surefield"] = "1";
  object["kind"] = kind_of(file.model);  // first, whatever comes between
  if (!file.items.empty()) object["items"] = file.items;
  if (file.box != unit_box(items)) object["box"] = {{"low", file.box.low}, {"high", file.box.high}};
  write_model(file.model, object);
  return laid_out(object);
}

}  // namespace surefield
