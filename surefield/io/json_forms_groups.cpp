// Models that are sums over groups of items: FLID, facility location, coverage, concave over
// modular; and log det.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "surefield/io/json_forms.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

/// The items of a group and a number for each, from two arrays of equal length.
std::vector<Entry> entries_of(const JsonCursor& group, std::string_view values, Index items) {
  const auto item = group.at("items");
  const auto value = group.at(values);
  std::vector<Entry> entries(item.size());
  if (value.size() != entries.size())
    value.fail_here("has ", value.size(), " numbers, but there are ", entries.size(), " items");
  for (Index k = 0; k < entries.size(); ++k)
    entries[k] = {item.element(k).index(items, "items"), value.element(k).number()};
  return entries;
}

void add_entries(std::span<const Entry> entries, std::string_view values, OrderedJson& group) {
  auto& items = group["items"] = OrderedJson::array();
  for (const auto& entry : entries) items.push_back(entry.index);
  auto& numbers = group[std::string(values)] = OrderedJson::array();
  for (const auto& entry : entries) numbers.push_back(entry.value);
}

/// Rows of equal length, one after the other.
std::vector<double> matrix_of(const JsonCursor& rows, Index columns) {
  std::vector<double> matrix;
  for (Index i = 0; i < rows.size(); ++i) {
    const auto row = rows.element(i);
    if (row.size() != columns)
      row.fail_here("has ", row.size(), " numbers, which must be ", columns);
    for (Index d = 0; d < columns; ++d) matrix.push_back(row.element(d).number());
  }
  return matrix;
}

/// A row of numbers for every item, all of one length.
struct Rows {
  std::vector<double> matrix;
  Index columns;
};

Rows rows_of(const JsonCursor& rows, Index items) {
  if (rows.size() != items)
    rows.fail_here("has ", rows.size(), " rows, but there are ", items, " utilities");
  const Index columns = rows.size() == 0 ? 0 : rows.element(0).size();
  return {matrix_of(rows, columns), columns};
}

void add_rows(const std::vector<double>& matrix, Index items, OrderedJson& rows) {
  rows = OrderedJson::array();
  const std::size_t columns = items == 0 ? 0 : matrix.size() / items;
  for (Index i = 0; i < items; ++i) {
    const auto row = matrix.begin() + static_cast<std::ptrdiff_t>(i * columns);
    rows.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(columns)));
  }
}

Concave shape_of(const JsonCursor& group) {
  const std::string& shape = group.at("shape").text();
  const auto parameter = group.find("parameter");
  const double value = parameter ? parameter->number() : 0;
  try {
    return make_concave(shape, value);
  } catch (const Error& error) {  // its message shows the shape as it is, which may be anything
    group.fail_here("has no valid shape: ", escaped(error.what(), 300));
  }
}

}  // namespace

template <>
Flid model_from_json<Flid>(const JsonCursor& object) {
  object.allow_only({"utility", "weights"}, model_keys(object));
  auto utility = object.at("utility").numbers();
  auto [weights, dimensions] = rows_of(object.at("weights"), utility.size());
  return object.making(
      [&] { return make_flid(std::move(utility), std::move(weights), dimensions); });
}

void add_to_json(const Flid& model, OrderedJson& object) {
  object["utility"] = model.utility;
  add_rows(model.weights, model.size(), object["weights"]);
}

template <>
Fldc model_from_json<Fldc>(const JsonCursor& object) {
  object.allow_only({"utility", "weights", "coherence"}, model_keys(object));
  auto utility = object.at("utility").numbers();
  auto [weights, dimensions] = rows_of(object.at("weights"), utility.size());
  auto [coherence, concepts] = rows_of(object.at("coherence"), utility.size());
  return object.making([&] {
    return make_fldc(std::move(utility), std::move(weights), dimensions, std::move(coherence),
                     concepts);
  });
}

void add_to_json(const Fldc& model, OrderedJson& object) {
  object["utility"] = model.utility;
  add_rows(model.weights, model.size(), object["weights"]);
  add_rows(model.coherence, model.size(), object["coherence"]);
}

template <>
FacilityLocation model_from_json<FacilityLocation>(const JsonCursor& object) {
  object.allow_only({"cost", "customers"}, model_keys(object));
  auto cost = object.at("cost").numbers();
  const auto customers = object.at("customers");
  std::vector<std::vector<Entry>> benefit(customers.size());
  for (Index d = 0; d < benefit.size(); ++d) {
    const auto customer = customers.element(d);
    customer.allow_only({"items", "benefit"});
    benefit[d] = entries_of(customer, "benefit", cost.size());
  }
  return object.making([&] { return make_facility_location(std::move(cost), benefit); });
}

void add_to_json(const FacilityLocation& model, OrderedJson& object) {
  object["cost"] = model.cost;
  auto& customers = object["customers"] = OrderedJson::array();
  for (Index d = 0; d < model.benefit.groups(); ++d)
    add_entries(model.benefit.of_group(d), "benefit", customers.emplace_back());
}

template <>
Coverage model_from_json<Coverage>(const JsonCursor& object) {
  object.allow_only({"cost", "concepts"}, model_keys(object));
  auto cost = object.at("cost").numbers();
  const auto concepts = object.at("concepts");
  std::vector<double> weight(concepts.size());
  std::vector<std::vector<Entry>> members(concepts.size());
  for (Index c = 0; c < members.size(); ++c) {
    const auto one = concepts.element(c);
    one.allow_only({"weight", "items", "probability"});
    weight[c] = one.at("weight").number();
    if (one.find("probability")) {
      members[c] = entries_of(one, "probability", cost.size());
    } else {
      const auto items = one.at("items");
      for (const auto i : items.indices(cost.size(), "items")) members[c].push_back({i, 1.0});
    }
  }
  return object.making([&] { return make_coverage(std::move(cost), std::move(weight), members); });
}

void add_to_json(const Coverage& model, OrderedJson& object) {
  object["cost"] = model.cost;
  auto& concepts = object["concepts"] = OrderedJson::array();
  for (Index c = 0; c < model.members.groups(); ++c) {
    const auto members = model.members.of_group(c);
    auto& one = concepts.emplace_back();
    one["weight"] = model.concept_weight[c];
    add_entries(members, "probability", one);
    const bool certain =
        std::all_of(members.begin(), members.end(), [](const Entry& e) { return e.value == 1; });
    if (certain) one.erase("probability");
  }
}

template <>
ConcaveOverModular model_from_json<ConcaveOverModular>(const JsonCursor& object) {
  object.allow_only({"modular", "tolerance", "groups"}, model_keys(object));
  auto modular = object.at("modular").numbers();
  const auto groups = object.at("groups");
  std::vector<ConcaveOverModular::Group> shapes(groups.size());
  std::vector<std::vector<Entry>> members(groups.size());
  for (Index g = 0; g < members.size(); ++g) {
    const auto group = groups.element(g);
    group.allow_only({"weight", "shape", "parameter", "items", "weights"});
    shapes[g] = {group.at("weight").number(), shape_of(group)};
    members[g] = entries_of(group, "weights", modular.size());
  }
  const auto place = object.find("tolerance");
  const double tolerance = place ? place->number() : 1e-10;
  return object.making([&] {
    return make_concave_over_modular(std::move(modular), std::move(shapes), members, tolerance);
  });
}

void add_to_json(const ConcaveOverModular& model, OrderedJson& object) {
  object["modular"] = model.modular;
  object["tolerance"] = model.tolerance;
  auto& groups = object["groups"] = OrderedJson::array();
  for (Index g = 0; g < model.groups.size(); ++g) {
    const auto& [weight, shape] = model.groups[g];
    auto& group = groups.emplace_back();
    group["weight"] = weight;
    group["shape"] = text_of(shape.kind);
    group["parameter"] = shape.parameter;
    add_entries(model.members.of_group(g), "weights", group);
  }
}

template <>
LogDet model_from_json<LogDet>(const JsonCursor& object) {
  object.allow_only({"kernel", "samples", "seed"}, model_keys(object));
  const auto kernel = object.at("kernel");
  const Index n = kernel.size();
  const auto numbers = matrix_of(kernel, n);
  const auto samples_place = object.find("samples");
  const auto seed_place = object.find("seed");
  const Index samples = samples_place ? samples_place->whole(1, UINT32_MAX) : 1000;
  const std::uint64_t seed = seed_place ? seed_place->whole(0, UINT64_MAX) : 1;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto side = static_cast<Eigen::Index>(n);
  const Eigen::Map<const RowMajor> matrix(numbers.data(), side, side);
  return object.making([&] { return make_log_det(matrix, samples, seed); });
}

void add_to_json(const LogDet& model, OrderedJson& object) {
  auto& rows = object["kernel"] = OrderedJson::array();
  for (Eigen::Index i = 0; i < model.kernel.rows(); ++i) {
    auto& row = rows.emplace_back(OrderedJson::array());
    for (Eigen::Index j = 0; j < model.kernel.cols(); ++j) row.push_back(model.kernel(i, j));
  }
  object["samples"] = model.samples;
  object["seed"] = model.seed;
}

}  // namespace surefield
