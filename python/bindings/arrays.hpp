// NumPy arrays as the library sees them. What comes here has been checked and widened by surefield/_arrays.py: float64,
// C order; a wrong one is a TypeError of pybind11.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"

namespace surefield::python {

using Reals = py::array_t<double, py::array::c_style>;
using Bytes = py::array_t<std::uint8_t, py::array::c_style>;

inline std::span<const double> span_of(const Reals& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}
inline std::span<const std::uint8_t> span_of(const Bytes& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}
inline std::vector<double> vector_of(const Reals& array) {
  const auto all = span_of(array);
  return {all.begin(), all.end()};
}

/// Read-only, of numbers that `owner` keeps alive.
inline py::array view_of(std::span<const double> numbers, py::handle owner) {
  py::array_t<double> view(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

/// A column of indices of scipy.sparse, int32 or int64, as another type of integer. Throws Error for a negative one.
template <class T>
std::vector<T> indices_of(const py::array& array) {
  const auto copy = [&]<class From>(const From* from) {
    std::vector<T> to(static_cast<std::size_t>(array.size()));
    for (std::size_t k = 0; k < to.size(); ++k) {
      require(from[k] >= 0, "sparse matrix: index ", from[k], " is negative");
      to[k] = static_cast<T>(from[k]);
    }
    return to;
  };
  if (py::isinstance<py::array_t<std::int32_t>>(array))
    return copy(static_cast<const std::int32_t*>(array.data()));
  if (py::isinstance<py::array_t<std::int64_t>>(array))
    return copy(static_cast<const std::int64_t*>(array.data()));
  fail("sparse matrix: its indices are neither int32 nor int64");
}

}  // namespace surefield::python
