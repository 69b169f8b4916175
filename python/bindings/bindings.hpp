// The extension _core: one function a file, each adds its part to the module. What people call is typed Python on top
// (python/surefield); this is the front door of api/ with arrays in and arrays out.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace surefield::python {

namespace py = pybind11;

void bind_models(py::module_& m);         ///< Model: read, written, evaluated
void bind_families(py::module_& m);       ///< Model from arrays, one function a family
void bind_set_functions(py::module_& m);  ///< Model from Python code
void bind_answers(py::module_& m);        ///< Answer
void bind_work(py::module_& m);           ///< infer, log_z, sample, best_set, agree, recommend
void bind_learning(py::module_& m);       ///< fit, select, evaluate
void bind_layer(py::module_& m);          ///< what surefield.torch calls

}  // namespace surefield::python
