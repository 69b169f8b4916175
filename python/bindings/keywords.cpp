#include "python/bindings/keywords.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "surefield/core/error.hpp"
#include "surefield/io/nearest_names.hpp"

namespace surefield::python {
namespace {

std::string python_name(OptionName name) {
  std::string text(name.name);
  std::ranges::replace(text, '-', '_');
  return text;
}

std::string shown(py::handle value) {
  constexpr std::size_t kMost = 40;
  std::string text = py::repr(value).cast<std::string>();
  return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

double real_of(py::handle value, OptionName name, const NumberRule& rule) {
  const double number = PyBool_Check(value.ptr()) ? -1 : PyFloat_AsDouble(value.ptr());
  const bool read = !PyBool_Check(value.ptr()) && PyErr_Occurred() == nullptr;
  PyErr_Clear();
  require(read && rule.allows(number), python_name(name), ": ", shown(value), " is not ",
          rule.words);
  return number;
}

Index whole_of(py::handle value, OptionName name, const WholeRule& rule) {
  const auto index = py::reinterpret_steal<py::object>(
      PyBool_Check(value.ptr()) ? nullptr : PyNumber_Index(value.ptr()));
  const std::uint64_t number = index ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
  const bool read = index && PyErr_Occurred() == nullptr;
  PyErr_Clear();
  require(read && rule.allows(number), python_name(name), ": ", shown(value), " is not ",
          words_of(rule));
  return number;
}

std::string choice_of(py::handle value, OptionName name, const std::vector<std::string>& of) {
  const std::string text = py::isinstance<py::str>(value) ? value.cast<std::string>() : "";
  if (std::ranges::find(of, text) != of.end()) return text;
  std::string list;
  for (const auto& one : of) list.append(list.empty() ? "" : ", ").append(one);
  fail(python_name(name), ": ", shown(value), " is not one of ", list, did_you_mean(text, of));
}

/// One value stands for a list of one.
template <class Each>
void each_of(const py::object& values, Each&& each) {
  if (py::isinstance<py::str>(values) || !py::hasattr(values, "__iter__")) return each(values);
  for (const auto& value : values) each(value);
}

std::string options_text(const std::vector<std::string>& of) {
  std::string list;
  for (const auto& one : of) list.append(list.empty() ? "" : ", ").append(one);
  return list;
}

}  // namespace

py::object Keywords::take(OptionName name) {
  const std::string key = python_name(name);
  if (!given_.contains(key)) return py::none();
  py::object value = given_[key.c_str()];
  given_.attr("pop")(key);
  if (!value.is_none()) taken_.emplace_back(name.name);
  return value;
}

void Keywords::real(OptionName name, double& value, const NumberRule& rule, std::string_view) {
  if (const auto given = take(name); !given.is_none()) value = real_of(given, name, rule);
}
void Keywords::real(OptionName name, std::optional<double>& value, const NumberRule& rule,
                    std::string_view) {
  if (const auto given = take(name); !given.is_none()) value = real_of(given, name, rule);
}
void Keywords::reals(OptionName name, std::vector<double>& values, const NumberRule& rule,
                     std::string_view) {
  const auto given = take(name);
  if (given.is_none()) return;
  values.clear();
  each_of(given, [&](py::handle value) { values.push_back(real_of(value, name, rule)); });
}
void Keywords::whole(OptionName name, Index& value, const WholeRule& rule, std::string_view) {
  if (const auto given = take(name); !given.is_none()) value = whole_of(given, name, rule);
}
void Keywords::whole(OptionName name, std::optional<Index>& value, const WholeRule& rule,
                     std::string_view) {
  if (const auto given = take(name); !given.is_none()) value = whole_of(given, name, rule);
}
void Keywords::wholes(OptionName name, std::vector<Index>& values, const WholeRule& rule,
                      std::string_view) {
  const auto given = take(name);
  if (given.is_none()) return;
  values.clear();
  each_of(given, [&](py::handle value) { values.push_back(whole_of(value, name, rule)); });
}
void Keywords::flag(OptionName name, bool& value, std::string_view) {
  const auto given = take(name);
  if (given.is_none()) return;
  require(
      PyBool_Check(given.ptr()) || std::string_view(Py_TYPE(given.ptr())->tp_name) == "numpy.bool_",
      python_name(name), ": ", shown(given), " is not True or False");
  value = PyObject_IsTrue(given.ptr()) == 1;
}
void Keywords::choice(OptionName name, std::string& value, std::vector<std::string> of,
                      std::string_view) {
  if (const auto given = take(name); !given.is_none()) value = choice_of(given, name, of);
}
void Keywords::choices(OptionName name, std::vector<std::string>& values,
                       std::vector<std::string> of, std::string_view) {
  const auto given = take(name);
  if (given.is_none()) return;
  values.clear();
  each_of(given, [&](py::handle value) { values.push_back(choice_of(value, name, of)); });
}

void Keywords::require_all_taken() const {
  for (const auto& [key, value] : given_)
    fail(py::str(key).cast<std::string>(), ": is not an option of this work");
}

bool Keywords::has(std::string_view option) const {
  return std::ranges::find(taken_, option) != taken_.end();
}

void Keywords::refuse_outside_scope(std::span<const OptionScope> scopes, std::string_view what,
                                    const std::string& chosen) const {
  surefield::refuse_outside_scope(taken_, scopes, what, chosen, [](const std::string& option) {
    return python_name(option.c_str());
  });
}

void OptionTable::add(OptionName name, py::object value, std::string_view takes,
                      std::string_view about) {
  rows.append(
      py::make_tuple(python_name(name), std::move(value), std::string(takes), std::string(about)));
}
void OptionTable::real(OptionName name, double& value, const NumberRule& rule,
                       std::string_view about) {
  add(name, py::float_(value), rule.words, about);
}
void OptionTable::real(OptionName name, std::optional<double>& value, const NumberRule& rule,
                       std::string_view about) {
  add(name, py::cast(value), rule.words, about);
}
void OptionTable::reals(OptionName name, std::vector<double>& values, const NumberRule& rule,
                        std::string_view about) {
  add(name, py::cast(values), rule.words, about);
}
void OptionTable::whole(OptionName name, Index& value, const WholeRule& rule,
                        std::string_view about) {
  add(name, py::int_(value), words_of(rule), about);
}
void OptionTable::whole(OptionName name, std::optional<Index>& value, const WholeRule& rule,
                        std::string_view about) {
  add(name, py::cast(value), words_of(rule), about);
}
void OptionTable::wholes(OptionName name, std::vector<Index>& values, const WholeRule& rule,
                         std::string_view about) {
  add(name, py::cast(values), words_of(rule), about);
}
void OptionTable::flag(OptionName name, bool& value, std::string_view about) {
  add(name, py::bool_(value), "True or False", about);
}
void OptionTable::choice(OptionName name, std::string& value, std::vector<std::string> of,
                         std::string_view about) {
  add(name, py::str(value), options_text(of), about);
}
void OptionTable::choices(OptionName name, std::vector<std::string>& values,
                          std::vector<std::string> of, std::string_view about) {
  add(name, py::cast(values), options_text(of), about);
}

}  // namespace surefield::python
