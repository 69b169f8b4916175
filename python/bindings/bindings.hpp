// The extension _core: one function a file, each adds its part to the module. What people call is typed Python on top
// (python/surefield); this is the front door of api/ with arrays in and arrays out.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace surefield::python {

namespace py = pybind11;

void bind_models(py::module_& m);

}  // namespace surefield::python
