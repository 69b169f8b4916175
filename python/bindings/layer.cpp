// A layer of mean field, and the likelihood of sets under a FLID: arrays in, arrays out, one call a batch. What PyTorch
// needs to know of them is surefield/torch.py.
#include <pybind11/stl.h>

#include <functional>
#include <map>
#include <optional>

#include "python/bindings/arrays.hpp"
#include "python/bindings/watch.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/model_file.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/flid_likelihood.hpp"
#include "surefield/learn/mean_field_layer.hpp"

namespace surefield::python {
namespace {

using MaybeReals = std::optional<Reals>;
using MaybeBytes = std::optional<Bytes>;

std::span<double> room_of(py::array_t<double>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

py::array_t<double> table_of(std::size_t rows, std::size_t columns) {
  return py::array_t<double>(std::vector<std::size_t>{rows, columns});
}

/// What all calls are given: one row an element.
struct Elements {
  Reals parameters, beta;
  MaybeBytes include, exclude;
  unsigned threads;

  std::size_t count() const { return static_cast<std::size_t>(beta.size()); }
  LayerBatch batch() const {
    return {count(), span_of(parameters), span_of(beta),
            include ? span_of(*include) : std::span<const std::uint8_t>(),
            exclude ? span_of(*exclude) : std::span<const std::uint8_t>()};
  }
};

/// Element by element, those that failed alone.
std::map<std::size_t, std::string> failures_of(const std::vector<std::string>& reason) {
  std::map<std::size_t, std::string> failures;
  for (std::size_t e = 0; e < reason.size(); ++e)
    if (!reason[e].empty()) failures.emplace(e, reason[e]);
  return failures;
}

std::span<const double> span_or_none(const MaybeReals& array) {
  return array ? span_of(*array) : std::span<const double>();
}

py::tuple layer_forward(const MeanFieldLayer& layer, const Elements& elements) {
  const std::size_t count = elements.count();
  py::array_t<double> marginals = table_of(count, layer.items()), elbo(count), upper(count);
  std::vector<Status> status(count);
  std::vector<std::string> reason(count);
  const LayerAnswer answer{room_of(marginals), room_of(elbo), room_of(upper), status, reason};
  const LayerBatch batch = elements.batch();
  Watch watch(elements.threads);
  watch.run_whole([&] {
    layer.forward(batch, answer, watch.budget());
    return true;
  });
  py::array_t<std::int8_t> codes(count);
  for (std::size_t e = 0; e < count; ++e) codes.mutable_at(e) = static_cast<std::int8_t>(status[e]);
  return py::make_tuple(marginals, elbo, upper, codes, failures_of(reason));
}

/// Derivatives and whatever has none.
py::tuple layer_back(
    const MeanFieldLayer& layer, const Elements& elements, bool second,
    const std::function<void(const LayerBatch&, const LayerDerivatives&, const Budget&)>& work) {
  const std::size_t count = elements.count();
  py::array_t<double> slope = table_of(count, layer.parameter_count()), in_beta(count),
                      in_elbo(second ? count : 0);
  std::vector<std::string> reason(count);
  const LayerDerivatives derivatives{room_of(slope), room_of(in_beta), room_of(in_elbo), reason};
  const LayerBatch batch = elements.batch();
  Watch watch(elements.threads);
  watch.run_whole([&] {
    work(batch, derivatives, watch.budget());
    return true;
  });
  return py::make_tuple(slope, in_beta, in_elbo, failures_of(reason));
}

/// (item, item) of every coupling of a field, (item, customer) of every benefit: what the last block of theta is about.
std::vector<std::pair<Index, Index>> pairs_of(const MeanFieldLayer& layer) {
  std::vector<std::pair<Index, Index>> pairs;
  if (const auto* field = layer.structure().as<PairwiseField>())
    for (const Edge& edge : field->edges()) pairs.emplace_back(edge.from, edge.to);
  if (const auto* facility = layer.structure().as<FacilityLocation>())
    for (Index d = 0; d < facility->benefit.groups(); ++d)
      for (const Entry& entry : facility->benefit.of_group(d)) pairs.emplace_back(entry.index, d);
  return pairs;
}

Flid flid_of(const Reals& utility, const Reals& weights) {
  return make_flid(vector_of(utility), vector_of(weights),
                   weights.ndim() == 2 ? weights.shape(1) : 0);
}

py::tuple flid_log_z(const Reals& utility, const Reals& weights, bool exact, unsigned threads) {
  const Flid model = flid_of(utility, weights);
  Watch watch(threads);
  const FlidLogZSlopes found = watch.run_whole([&] {
    return exact ? exact_log_z_slopes(model, watch.budget())
                 : hoelder_log_z_slopes(model, watch.budget());
  });
  return py::make_tuple(found.log_z, py::array(py::cast(found.utility)),
                        py::array(py::cast(found.weights)));
}

/// work(k, set) for every set of the columns given, each item of which is checked.
template <class Work>
void for_each_set(const py::array& start, const py::array& item, Index items, Work&& work) {
  const auto from = indices_of<std::size_t>(start);
  const auto all = indices_of<std::uint32_t>(item);
  for (const auto i : all)
    require(i < items, "sets: item ", i, " is not one of the ", items, " items");
  for (std::size_t k = 0; k + 1 < from.size(); ++k) {
    require(from[k] <= from[k + 1] && from[k + 1] <= all.size(), "sets: the starts must ascend");
    work(k, std::span(all).subspan(from[k], from[k + 1] - from[k]));
  }
}

py::array_t<double> flid_set_values(const Reals& utility, const Reals& weights,
                                    const py::array& start, const py::array& item) {
  const Flid model = flid_of(utility, weights);
  py::array_t<double> values(start.size() - 1);
  for_each_set(start, item, model.size(), [&](std::size_t k, std::span<const std::uint32_t> set) {
    values.mutable_at(k) = add_set(model, set, 0, nullptr);
  });
  return values;
}

py::tuple flid_set_slopes(const Reals& utility, const Reals& weights, const py::array& start,
                          const py::array& item, const Reals& share) {
  const Flid model = flid_of(utility, weights);
  require(share.size() == start.size() - 1, "sets: there are ", share.size(), " slopes for ",
          start.size() - 1, " sets, which must be as many");
  FlidLogZSlopes slopes{0, std::vector<double>(model.size()),
                        std::vector<double>(model.weights.size())};
  for_each_set(start, item, model.size(), [&](std::size_t k, std::span<const std::uint32_t> set) {
    add_set(model, set, share.at(k), &slopes);
  });
  return py::make_tuple(py::array(py::cast(slopes.utility)), py::array(py::cast(slopes.weights)));
}

}  // namespace

void bind_layer(py::module_& m) {
  py::class_<Elements>(m, "Elements")
      .def(py::init([](const Reals& parameters, const Reals& beta, const MaybeBytes& include,
                       const MaybeBytes& exclude, unsigned threads) {
        return Elements{parameters, beta, include, exclude, threads};
      }));
  py::class_<MeanFieldLayer>(m, "MeanFieldLayer")
      .def(py::init([](const ModelFile& structure, bool unrolled, std::size_t epochs,
                       double tolerance, bool upper_bound) {
        require(
            structure.box == unit_box(structure.model.size()),
            "structure: its box is not [0, 1]^n; force items in and out by include and exclude");
        return MeanFieldLayer(structure.model, {.gradient = unrolled ? LayerGradient::kUnrolled
                                                                     : LayerGradient::kImplicit,
                                                .epochs = epochs,
                                                .tolerance = tolerance,
                                                .upper_bound = upper_bound});
      }))
      .def_property_readonly("items", &MeanFieldLayer::items)
      .def_property_readonly("blocks",
                             [](const MeanFieldLayer& layer) {
                               std::vector<std::pair<std::string, std::vector<std::size_t>>> blocks;
                               for (const ParameterBlock& block : layer.blocks())
                                 blocks.emplace_back(block.name, block.shape);
                               return blocks;
                             })
      .def_property_readonly(
          "parameters",
          [](const MeanFieldLayer& layer) { return py::array(py::cast(layer.parameters())); })
      .def_property_readonly("pairs", &pairs_of)
      .def("forward", &layer_forward)
      .def("backward",
           [](const MeanFieldLayer& layer, const Elements& elements, const Reals& marginals,
              const MaybeReals& by_marginals, const MaybeReals& by_elbo) {
             const LayerSlopes slopes{span_or_none(by_marginals), span_or_none(by_elbo)};
             return layer_back(layer, elements, false,
                               [&](const auto& batch, const auto& out, const Budget& budget) {
                                 layer.backward(batch, span_of(marginals), slopes, out, budget);
                               });
           })
      .def("second",
           [](const MeanFieldLayer& layer, const Elements& elements, const Reals& marginals,
              const Reals& by_elbo, const Reals& v, const Reals& w) {
             return layer_back(layer, elements, true,
                               [&](const auto& batch, const auto& out, const Budget& budget) {
                                 layer.second(batch, span_of(marginals), span_of(by_elbo),
                                              span_of(v), span_of(w), out, budget);
                               });
           });
  m.def("layer_statuses", [] {
    std::map<std::string, int> statuses;
    for (const Status status : {Status::kConverged, Status::kEpochLimit, Status::kFailed})
      statuses.emplace(text_of(status), static_cast<int>(status));
    return statuses;
  });
  m.def("flid_log_z", &flid_log_z);
  m.def("flid_set_values", &flid_set_values);
  m.def("flid_set_slopes", &flid_set_slopes);
}

}  // namespace surefield::python
