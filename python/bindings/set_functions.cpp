// Set functions written in Python: a black box (models/black_box) whose function takes the interpreter lock for the call.
//
// They are called from the thread that asked for the work, and from no other.
#include <pybind11/stl.h>

#include <thread>

#include "python/bindings/arrays.hpp"
#include "python/bindings/code.hpp"
#include "surefield/io/model_file.hpp"
#include "surefield/models/black_box/black_box.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield::python {
namespace {

/// A Python object that C++ may copy and drop without the interpreter lock.
using Shared = std::shared_ptr<py::object>;

Shared shared(py::object object) {
  return Shared(new py::object(std::move(object)), [](py::object* held) {
    const py::gil_scoped_acquire lock;
    delete held;
  });
}

/// The sets as a 0/1 matrix of their own, so that Python may keep it.
py::array_t<std::uint8_t> matrix_of(std::span<const std::uint8_t> rows, Index items) {
  const auto n = static_cast<py::ssize_t>(items);
  const auto count = n == 0 ? py::ssize_t{1} : static_cast<py::ssize_t>(rows.size()) / n;
  py::array_t<std::uint8_t> matrix({count, n});
  std::copy(rows.begin(), rows.end(), matrix.mutable_data());
  return matrix;
}

py::array_t<std::uint8_t> set_of(Subset chosen) {
  py::array_t<std::uint8_t> set(static_cast<py::ssize_t>(chosen.size()));
  std::copy(chosen.begin(), chosen.end(), set.mutable_data());
  return set;
}

double number_of(const py::object& answer, const char* what) {
  const double value = PyFloat_AsDouble(answer.ptr());
  if (PyErr_Occurred() == nullptr) return value;
  PyErr_Clear();
  fail("set function: ", what, " returned ", py::repr(answer).cast<std::string>(),
       ", which must be a number");
}

ModelFile set_function(Index items, py::object one, py::object many, py::object gain, Index samples,
                       std::uint64_t seed, double bound) {
  const bool by_batch = !many.is_none();
  std::function<double(Subset)> function = [held = shared(std::move(one))](Subset chosen) {
    const py::gil_scoped_acquire lock;
    return number_of((*held)(set_of(chosen)), "the function");
  };
  BlackBox model = make_black_box(items, std::move(function), samples, seed);
  model.bound = bound;
  if (by_batch)
    model.batch = [held = shared(std::move(many)), items](std::span<const std::uint8_t> rows,
                                                          std::span<double> values) {
      const py::gil_scoped_acquire lock;
      const auto found = Reals::ensure((*held)(matrix_of(rows, items)));
      if (!found) PyErr_Clear();
      require(found && static_cast<std::size_t>(found.size()) == values.size(),
              "set function: the function of many sets must return one number a set, ",
              values.size(), " in all");
      std::ranges::copy(span_of(found), values.begin());
    };
  if (!gain.is_none())
    model.own_gain = [held = shared(std::move(gain))](Subset chosen, Index i) {
      const py::gil_scoped_acquire lock;
      return number_of((*held)(i, set_of(chosen)), "gain");
    };
  return {std::move(model), {}, unit_box(items)};
}

}  // namespace

bool is_python_code(const AnyModel& model) {
  if (model.as<BlackBox>() != nullptr) return true;
  const auto* const sum = model.as<WeightedSum>();
  return sum != nullptr && std::ranges::any_of(sum->terms, [](const auto& term) {
           return is_python_code(term.model);
         });
}

void bind_set_functions(py::module_& m) { m.def("set_function", &set_function); }

}  // namespace surefield::python
