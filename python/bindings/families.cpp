// Every family from arrays. Sparse tables come as the three arrays of a matrix by columns: a column is a group, its
// entries the items; rows are items everywhere.
#include <pybind11/stl.h>

#include <Eigen/Core>

#include "python/bindings/arrays.hpp"
#include "surefield/io/model_file.hpp"
#include "surefield/models/families.hpp"
#include "surefield/models/pairwise_field/field_of_rows.hpp"

namespace surefield::python {
namespace {

ModelFile file_of(AnyModel model) {
  const Index n = model.size();
  return {std::move(model), {}, unit_box(n)};
}

/// The groups of a sparse matrix by columns.
std::vector<std::vector<Entry>> groups_of(const py::array& start, const py::array& item,
                                          const Reals& value) {
  const auto begin = indices_of<std::size_t>(start);
  const auto items = indices_of<std::uint32_t>(item);
  const auto values = span_of(value);
  require(!begin.empty() && begin.back() <= items.size() && items.size() == values.size(),
          "sparse matrix: its arrays do not fit each other");
  std::vector<std::vector<Entry>> groups(begin.size() - 1);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t e = begin[g]; e < begin[g + 1]; ++e)
      groups[g].push_back({items[e], values[e]});
  return groups;
}

std::vector<std::vector<std::uint32_t>> members_of(const py::array& start, const py::array& item) {
  const auto begin = indices_of<std::size_t>(start);
  const auto items = indices_of<std::uint32_t>(item);
  require(!begin.empty() && begin.back() <= items.size(),
          "sparse matrix: its arrays do not fit each other");
  std::vector<std::vector<std::uint32_t>> groups(begin.size() - 1);
  for (std::size_t g = 0; g < groups.size(); ++g)
    groups[g].assign(items.begin() + static_cast<std::ptrdiff_t>(begin[g]),
                     items.begin() + static_cast<std::ptrdiff_t>(begin[g + 1]));
  return groups;
}

std::vector<Edge> edges_of(const py::array& from, const py::array& to, const Reals& weight) {
  const auto first = indices_of<std::uint32_t>(from);
  const auto second = indices_of<std::uint32_t>(to);
  const auto weights = span_of(weight);
  std::vector<Edge> edges(weights.size());
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = {first[e], second[e], weights[e]};
  return edges;
}

ModelFile flid(const Reals& utility, const Reals& weights) {
  return file_of(
      make_flid(vector_of(utility), vector_of(weights), static_cast<Index>(weights.shape(1))));
}

ModelFile fldc(const Reals& utility, const Reals& weights, const Reals& coherence) {
  return file_of(make_fldc(vector_of(utility), vector_of(weights),
                           static_cast<Index>(weights.shape(1)), vector_of(coherence),
                           static_cast<Index>(coherence.shape(1))));
}

ModelFile facility_location(const Reals& cost, const py::array& start, const py::array& item,
                            const Reals& benefit) {
  return file_of(make_facility_location(vector_of(cost), groups_of(start, item, benefit)));
}

ModelFile coverage(const Reals& cost, const Reals& weight, const py::array& start,
                   const py::array& item, const Reals& probability) {
  return file_of(
      make_coverage(vector_of(cost), vector_of(weight), groups_of(start, item, probability)));
}

/// Of a symmetric matrix by rows, whose arrays are copied once and never again.
ModelFile pairwise(const Reals& bias, const py::array& start, const py::array& neighbour,
                   const Reals& coupling, double constant) {
  return file_of(make_field_of_rows(vector_of(bias), indices_of<std::size_t>(start),
                                    indices_of<std::uint32_t>(neighbour), vector_of(coupling),
                                    constant));
}

ModelFile cut(const Reals& bias, const py::array& from, const py::array& to, const Reals& weight,
              bool directed) {
  return file_of(make_graph_cut(vector_of(bias), edges_of(from, to, weight), directed));
}

ModelFile hypergraph_cut(const Reals& bias, const Reals& weight, const py::array& tail_start,
                         const py::array& tail, const py::array& head_start,
                         const py::array& head) {
  auto tails = members_of(tail_start, tail);
  auto heads = members_of(head_start, head);
  const auto weights = span_of(weight);
  require(tails.size() == weights.size() && heads.size() == weights.size(),
          "hypergraph cut: there are ", weights.size(), " weights, ", tails.size(), " tails and ",
          heads.size(), " heads");
  std::vector<Hyperedge> edges;
  for (std::size_t e = 0; e < weights.size(); ++e)
    edges.push_back({weights[e], std::move(tails[e]), std::move(heads[e])});
  return file_of(make_hypergraph_cut(vector_of(bias), std::move(edges)));
}

ModelFile gibbs(const Reals& bias, const Reals& coefficient, const py::array& start,
                const py::array& variable, double constant) {
  auto sets = members_of(start, variable);
  const auto coefficients = span_of(coefficient);
  require(sets.size() == coefficients.size(), "gibbs field: there are ", coefficients.size(),
          " coefficients, but ", sets.size(), " terms");
  std::vector<Monomial> terms;
  for (std::size_t t = 0; t < sets.size(); ++t)
    terms.push_back({std::move(sets[t]), coefficients[t]});
  return file_of(make_gibbs_field(vector_of(bias), terms, constant));
}

ModelFile concave_over_modular(const Reals& modular, const Reals& weight,
                               const std::vector<std::string>& shape, const Reals& parameter,
                               const py::array& start, const py::array& item, const Reals& member,
                               double tolerance) {
  const auto weights = span_of(weight);
  const auto parameters = span_of(parameter);
  require(weights.size() == shape.size() && weights.size() == parameters.size(),
          "concave over modular: there are ", weights.size(), " weights, ", shape.size(),
          " shapes and ", parameters.size(), " parameters");
  std::vector<ConcaveOverModular::Group> groups;
  for (std::size_t g = 0; g < weights.size(); ++g)
    groups.push_back({weights[g], make_concave(shape[g], parameters[g])});
  return file_of(make_concave_over_modular(vector_of(modular), std::move(groups),
                                           groups_of(start, item, member), tolerance));
}

ModelFile log_det(const Reals& kernel, Index samples, std::uint64_t seed) {
  const auto rows = static_cast<Eigen::Index>(kernel.shape(0));
  const auto columns = static_cast<Eigen::Index>(kernel.shape(1));
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return file_of(
      make_log_det(Eigen::Map<const ByRows>(kernel.data(), rows, columns), samples, seed));
}

/// Where the entries of a square matrix by rows are: below, on and above its diagonal.
py::tuple places(const py::array& start, const py::array& column) {
  const auto find = [&]<class T>(const T* begin, const T* to) {
    bool below = false, on = false, above = false;
    for (py::ssize_t i = 0; i + 1 < start.size(); ++i)
      for (T e = begin[i]; e < begin[i + 1]; ++e) {
        below |= to[e] < i;
        on |= to[e] == i;
        above |= to[e] > i;
      }
    return py::make_tuple(below, on, above);
  };
  if (py::isinstance<py::array_t<std::int32_t>>(column) &&
      py::isinstance<py::array_t<std::int32_t>>(start))
    return find(static_cast<const std::int32_t*>(start.data()),
                static_cast<const std::int32_t*>(column.data()));
  require(py::isinstance<py::array_t<std::int64_t>>(column) &&
              py::isinstance<py::array_t<std::int64_t>>(start),
          "sparse matrix: its indices are neither int32 nor int64");
  return find(static_cast<const std::int64_t*>(start.data()),
              static_cast<const std::int64_t*>(column.data()));
}

}  // namespace

void bind_families(py::module_& m) {
  m.def("places", &places);
  m.def("flid", &flid);
  m.def("fldc", &fldc);
  m.def("facility_location", &facility_location);
  m.def("coverage", &coverage);
  m.def("pairwise", &pairwise);
  m.def("cut", &cut);
  m.def("hypergraph_cut", &hypergraph_cut);
  m.def("gibbs", &gibbs);
  m.def("concave_over_modular", &concave_over_modular);
  m.def("log_det", &log_det);
}

}  // namespace surefield::python
