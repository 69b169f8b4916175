// What each kind of model looks like in JSON: its keys, read and written. docs/file_formats.md
// shows them all.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

#include "surefield/core/ordered_json.hpp"
#include "surefield/io/json_cursor.hpp"
#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/facility_location/facility_location.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/log_det/log_det.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// The keys a model's object may have besides its own: its kind, and those of the file if it is the
/// whole file.
inline std::span<const std::string_view> model_keys(const JsonCursor& object) {
  static constexpr std::array<std::string_view, 4> kKeys{"kind", "surefield", "items", "box"};
  return std::span(kKeys).first(object.is_top() ? 4 : 1);
}

/// The model an object holds. Throws Error, with the place, for what is missing, unknown or
/// malformed.
template <class M>
M model_from_json(const JsonCursor& object);

template <>
Flid model_from_json<Flid>(const JsonCursor& object);
template <>
Fldc model_from_json<Fldc>(const JsonCursor& object);
template <>
FacilityLocation model_from_json<FacilityLocation>(const JsonCursor& object);
template <>
Coverage model_from_json<Coverage>(const JsonCursor& object);
template <>
ConcaveOverModular model_from_json<ConcaveOverModular>(const JsonCursor& object);
template <>
PairwiseField model_from_json<PairwiseField>(const JsonCursor& object);
template <>
GraphCut model_from_json<GraphCut>(const JsonCursor& object);
template <>
HypergraphCut model_from_json<HypergraphCut>(const JsonCursor& object);
template <>
GibbsField model_from_json<GibbsField>(const JsonCursor& object);
template <>
LogDet model_from_json<LogDet>(const JsonCursor& object);

/// Adds the model's keys to the object.
void add_to_json(const Flid& model, OrderedJson& object);
void add_to_json(const Fldc& model, OrderedJson& object);
void add_to_json(const FacilityLocation& model, OrderedJson& object);
void add_to_json(const Coverage& model, OrderedJson& object);
void add_to_json(const ConcaveOverModular& model, OrderedJson& object);
void add_to_json(const PairwiseField& model, OrderedJson& object);
void add_to_json(const GraphCut& model, OrderedJson& object);
void add_to_json(const HypergraphCut& model, OrderedJson& object);
void add_to_json(const GibbsField& model, OrderedJson& object);
void add_to_json(const LogDet& model, OrderedJson& object);

}  // namespace surefield
