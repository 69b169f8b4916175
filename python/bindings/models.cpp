// Models as Python holds them: the model, the labels of its items and its box; read, written, in JSON, and evaluated a
// row at a time.
#include <pybind11/stl.h>

#include "python/bindings/arrays.hpp"
#include "python/bindings/watch.hpp"
#include "surefield/api/model_table.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/items_file.hpp"
#include "surefield/io/json_model.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/models/black_box/black_box.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield::python {
namespace {

/// How many rows there are. Throws Error unless each has one entry an item.
template <class Rows>
Index rows_of(const ModelFile& file, const Rows& rows) {
  const Index n = file.model.size();
  require(rows.ndim() == 2 && static_cast<Index>(rows.shape(1)) == n, "the rows have ",
          rows.ndim() == 2 ? rows.shape(1) : 0, " entries, but there are ", n, " items");
  return static_cast<Index>(rows.shape(0));
}

/// One number a row.
template <class Rows, class Of>
py::array_t<double> each_row(const ModelFile& file, const Rows& rows, Of&& of) {
  const Index count = rows_of(file, rows), n = file.model.size();
  py::array_t<double> values(static_cast<py::ssize_t>(count));
  double* const to = values.mutable_data();
  const auto all = span_of(rows);
  Watch watch;
  watch.run_whole([&] {
    for (Index r = 0; r < count && !watch.budget().spent(); ++r) to[r] = of(all.subspan(r * n, n));
    return 0;
  });
  return values;
}

py::array_t<double> values(const ModelFile& file, const Bytes& rows) {
  const auto* const code = file.model.as<BlackBox>();
  if (code == nullptr)
    return each_row(file, rows, [&](Subset chosen) { return file.model.evaluate(chosen); });
  const Index count = rows_of(file, rows);
  py::array_t<double> found(static_cast<py::ssize_t>(count));  // one call for all of them
  code->evaluate_many(span_of(rows), {found.mutable_data(), count});
  return found;
}

py::array_t<double> gains(const ModelFile& file, Index i, const Bytes& rows) {
  require(i < file.model.size(), "gain: item ", i, " is not one of the ", file.model.size());
  return each_row(file, rows, [&](Subset chosen) {
    auto set = file.model.empty_set();
    for (Index j = 0; j < chosen.size(); ++j)
      if (chosen[j]) set.add(j);
    return set.gain(i);
  });
}

py::array_t<double> gradients(const ModelFile& file, const Reals& rows) {
  const auto n = static_cast<py::ssize_t>(file.model.size());
  py::array_t<double> found({rows.shape(0), n});
  double* const to = found.mutable_data();
  Index row = 0;
  each_row(file, rows, [&](std::span<const double> x) {
    file.model.at(x).gradient({to + row * x.size(), x.size()});
    ++row;
    return 0.0;
  });
  return found;
}

ModelFile read(const std::string& path, const std::string& format,
               const std::optional<std::string>& edges, std::optional<double> row_weight,
               const std::string& evidence) {
  const std::string text = read_file(path);
  ReadOptions how{.format = format, .row_weight = row_weight, .evidence = evidence};
  if (edges) how.meaning = edge_meaning_named(*edges);
  ModelFile file = parse_model(text, path, how);
  if (file.items.empty())
    if (auto items = read_items_beside(path, text, file.model.size()))
      file.items = std::move(*items);
  return file;
}

void write(const ModelFile& file, const std::string& path, const std::string& format) {
  const ModelFormat* const chosen = format.empty() ? format_by_ending(path) : &format_named(format);
  require(chosen != nullptr, path, ": its name does not say which format to write; say format=...");
  write_model_text(path, model_text(file, *chosen), *chosen, file.items);
}

py::list terms_of(const ModelFile& file) {
  const auto* const sum = file.model.as<WeightedSum>();
  require(sum != nullptr, "a ", file.model.kind(), " model is no sum");
  py::list terms;
  for (const auto& [weight, model] : sum->terms)
    terms.append(py::make_tuple(weight, ModelFile{model, file.items, unit_box(model.size())}));
  return terms;
}

ModelFile sum_of(Index items, const py::list& terms, std::vector<std::string> labels) {
  std::vector<WeightedSum::Term> parts;
  for (const auto& term : terms) {
    const auto pair = term.cast<py::tuple>();
    parts.push_back({pair[0].cast<double>(), pair[1].cast<const ModelFile&>().model});
  }
  return {make_weighted_sum(items, std::move(parts)), std::move(labels), unit_box(items)};
}

/// The numbers a family is made of, as views: of flid, fldc and pairwise, which are learned.
py::dict parameters_of(const py::object& self) {
  const auto& model = self.cast<const ModelFile&>().model;
  py::dict found;
  const auto table = [&](const std::vector<double>& numbers, Index columns) {
    return view_of(numbers, self)
        .reshape({static_cast<py::ssize_t>(model.size()), static_cast<py::ssize_t>(columns)});
  };
  if (const auto* const flid = model.as<Flid>()) {
    found["utility"] = view_of(flid->utility, self);
    found["weights"] = table(flid->weights, flid->dimensions);
  } else if (const auto* const both = model.as<Fldc>()) {
    found["utility"] = view_of(both->utility, self);
    found["weights"] = table(both->weights, both->dimensions);
    found["coherence"] = table(both->coherence, both->concepts);
  } else if (const auto* const field = model.as<PairwiseField>()) {
    found["bias"] = view_of(field->bias, self);
    found["coupling"] = view_of(field->coupling, self);
    found["neighbour"] = py::array_t<std::uint32_t>(
        static_cast<py::ssize_t>(field->neighbour.size()), field->neighbour.data(), self);
    found["start"] = py::array_t<std::size_t>(static_cast<py::ssize_t>(field->start.size()),
                                              field->start.data(), self);
  }
  return found;
}

std::string_view text_of(Submodularity submodularity) {
  return submodularity == Submodularity::kProved    ? "proved"
         : submodularity == Submodularity::kAssumed ? "assumed"
                                                    : "violated";
}

py::tuple submodularity_of(const ModelFile& file) {
  Watch watch;
  const Facts& facts = *watch.run_whole([&] { return &file.model.facts(); });
  return py::make_tuple(std::string(text_of(facts.submodularity)), facts.violation);
}

ModelFile with(ModelFile file, std::vector<std::string> labels, const std::optional<Reals>& low,
               const std::optional<Reals>& high) {
  const Index n = file.model.size();
  require(labels.empty() || labels.size() == n, "labels: there are ", labels.size(), ", but ", n,
          " items");
  const ItemLookup each_once(n, 0, labels);  // refuses two alike
  file.items = std::move(labels);
  if (low && high) {
    file.box = {vector_of(*low), vector_of(*high)};
    require_inside_unit(file.box, n);
  }
  return file;
}

py::list table() {
  py::list rows;
  for (const ModelRow& row : model_table()) {
    py::dict entry;
    entry["kind"] = std::string(row.kind);
    entry["formula"] = std::string(row.formula);
    entry["cost"] = std::string(row.cost);
    entry["submodular"] = std::string(row.submodular);
    entry["limits"] = std::string(row.limits);
    rows.append(entry);
  }
  return rows;
}

}  // namespace

void bind_models(py::module_& m) {
  py::register_exception<Error>(m, "Error", PyExc_ValueError).attr("__doc__") =
      "What was given is refused; the message names the thing, its value and the rule.";
  py::register_exception<Contradiction>(m, "Contradiction", PyExc_ArithmeticError).attr("__doc__") =
      "Two bounds exclude each other: a bug, or a set function that is not what it claims.";
  py::class_<ModelFile>(m, "Model")
      .def_property_readonly("size", [](const ModelFile& file) { return file.model.size(); })
      .def_property_readonly("kind",
                             [](const ModelFile& file) { return std::string(file.model.kind()); })
      .def_readonly("labels", &ModelFile::items)
      .def_property_readonly("box",
                             [](const py::object& self) {
                               const Box& box = self.cast<const ModelFile&>().box;
                               return py::make_tuple(view_of(box.low, self),
                                                     view_of(box.high, self));
                             })
      .def_property_readonly("terms", &terms_of)
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("submodularity", &submodularity_of)
      .def("to_json", &json_model_text)
      .def("text", [](const ModelFile& file,
                      const std::string& format) { return model_text(file, format_named(format)); })
      .def("write", &write)
      .def("with_", &with)
      .def("evaluate", &values)
      .def("gain", &gains)
      .def("extension",
           [](const ModelFile& file, const Reals& rows) {
             return each_row(file, rows,
                             [&](std::span<const double> x) { return file.model.at(x).value(); });
           })
      .def("gradient", &gradients);
  m.def("sum_of", &sum_of);
  m.def("from_json", [](const std::string& text, const std::string& name) {
    return parse_json_model(text, name);
  });
  m.def("parse", [](const std::string& text, const std::string& name, const std::string& format) {
    return parse_model(text, name, {.format = format});
  });
  m.def("read", &read);
  m.def("model_table", &table);
  m.def("formats", [] {
    py::list rows;
    for (const ModelFormat& format : model_formats()) {
      py::dict entry;
      entry["name"] = std::string(format.name);
      entry["endings"] = std::string(format.endings);
      entry["holds"] = std::string(format.holds);
      entry["written"] = format.text != nullptr;
      rows.append(entry);
    }
    return rows;
  });
}

}  // namespace surefield::python
