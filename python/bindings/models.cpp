// Models as Python holds them: the model, the labels of its items and its box; read, written, and in JSON.
#include <pybind11/stl.h>

#include "python/bindings/bindings.hpp"
#include "surefield/api/model_table.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/json_model.hpp"

namespace surefield::python {

void bind_models(py::module_& m) {
  py::register_exception<Error>(m, "Error", PyExc_ValueError);
  py::class_<ModelFile>(m, "Model")
      .def("size", [](const ModelFile& file) { return file.model.size(); })
      .def("kind", [](const ModelFile& file) { return std::string(file.model.kind()); })
      .def_readonly("items", &ModelFile::items)
      .def("to_json", &json_model_text);
  m.def("from_json", [](const std::string& text, const std::string& name) { return parse_json_model(text, name); });
  m.def("model_kinds", [] {
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
  });
}

}  // namespace surefield::python
