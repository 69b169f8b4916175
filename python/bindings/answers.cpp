#include "python/bindings/answers.hpp"

#include <pybind11/stl.h>

#include "python/bindings/arrays.hpp"
#include "surefield/report/page.hpp"

namespace surefield::python {
namespace {

py::array array_named(const py::object& self, const std::string& name) {
  const auto& answer = self.cast<const Answer&>();
  for (const auto& [known, numbers] : answer.arrays)
    if (known == name) return view_of(numbers, self);
  fail("result: there is no array ", name);
}

/// A structured array that looks at the trace.
py::array trace_of(const py::object& self) {
  static_assert(sizeof(TracePoint) == 4 * sizeof(double));
  const auto& trace = self.cast<const Answer&>().trace;
  py::list names, formats;
  for (const char* name : {"epoch", "value", "seconds", "top"}) {
    names.append(name);
    formats.append("f8");
  }
  py::list offsets;
  for (const std::size_t at : {offsetof(TracePoint, epoch), offsetof(TracePoint, value),
                               offsetof(TracePoint, seconds), offsetof(TracePoint, top)})
    offsets.append(at);
  const py::dtype type(names, formats, offsets, static_cast<py::ssize_t>(sizeof(TracePoint)));
  return py::array(type, {static_cast<py::ssize_t>(trace.size())}, {}, trace.data(), self);
}

std::string page_of(const std::string& page_template,
                    const std::vector<std::pair<std::string, std::string>>& results,
                    const std::string& title) {
  std::vector<PageResult> blocks;
  for (const auto& [name, json] : results) blocks.push_back({name, page_json(name, json)});
  return report_page(page_template, blocks, title);
}

}  // namespace

std::shared_ptr<Answer> answer_of(std::shared_ptr<const void> result, const Ending& ending,
                                  Status usual) {
  auto answer = std::make_shared<Answer>();
  answer->result = std::move(result);
  answer->shortfalls = shortfalls(ending);
  Status status = usual;
  if (ending.status == Status::kFailed)
    status = Status::kFailed;
  else if (ending.interrupted || ending.status == Status::kInterrupted)
    status = Status::kInterrupted;
  else if (usual == Status::kDone && !answer->shortfalls.empty())
    status = Status::kShort;
  answer->status = std::string(text_of(status));
  return answer;
}

void bind_answers(py::module_& m) {
  py::class_<Answer, std::shared_ptr<Answer>>(m, "Answer")
      .def_readonly("status", &Answer::status)
      .def_readonly("shortfalls", &Answer::shortfalls)
      .def_readonly("notes", &Answer::notes)
      .def_readonly("models", &Answer::models)
      .def_property_readonly("trace", &trace_of)
      .def("json", [](const Answer& answer) { return answer.json(); })
      .def("csv", [](const Answer& answer) { return answer.csv(); })
      .def("text", [](const Answer& answer, std::size_t most) { return answer.text(most); })
      .def("sets", [](const Answer& answer) { return answer.sets(); })
      .def("array", &array_named);
  m.def("page_of", &page_of);
}

}  // namespace surefield::python
