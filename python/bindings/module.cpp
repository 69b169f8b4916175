// import surefield._core
#include "python/bindings/bindings.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace surefield::python;
  m.doc() = "The C++ side of surefield; use surefield itself.";
  m.attr("__version__") = SUREFIELD_VERSION;
  bind_models(m);
  bind_families(m);
  bind_set_functions(m);
  bind_answers(m);
  bind_work(m);
  bind_learning(m);
  bind_layer(m);
}
