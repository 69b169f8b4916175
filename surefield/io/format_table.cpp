// The table of formats: how each turns text into a model file and back.
#include <algorithm>
#include <array>
#include <cctype>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/io/binary/binary_field.hpp"
#include "surefield/io/fg_file.hpp"
#include "surefield/io/field_factors.hpp"
#include "surefield/io/flid_file.hpp"
#include "surefield/io/format_looks.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/hyperedge_list.hpp"
#include "surefield/io/json_model.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/set_cover.hpp"
#include "surefield/io/uai_model.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

namespace surefield {
namespace {

template <class M>
ModelFile free_of(M model, std::vector<std::string> items = {}) {
  Box box = unit_box(model.size());
  return {std::move(model), std::move(items), std::move(box)};
}

/// The model if it is of that kind. Throws Error if not, or if the box says more than [0, 1]^n.
template <class M>
const M& plain(const ModelFile& file, std::string_view format) {
  const M* const model = file.model.as<M>();
  require(model != nullptr, "a ", kind_of(file.model), " model cannot be written as ", format,
          ", which holds ", M::kKind, " models; json can hold it");
  require(file.box == unit_box(file.box.size()), "the ", format,
          " format cannot hold the model's box; json can");
  return *model;
}

ModelFile parse_as_json(std::string_view text, std::string_view name, const ReadOptions&) {
  return parse_json_model(text, name);
}

ModelFile parse_flid_model(std::string_view text, std::string_view name, const ReadOptions&) {
  return free_of(parse_flid(text, name).model);
}
std::string flid_model_text(const ModelFile& file) { return flid_text(plain<Flid>(file, "flid")); }

ModelFile field_model(const FactorGraph& graph, std::string_view name, const ReadOptions& options) {
  Box evidence = evidence_box(options, graph.variables);
  Field field = naming_file(name, [&] { return field_of(graph, &evidence); });
  return std::visit(
      [&](auto&& model) {
        return ModelFile{std::move(model), {}, std::move(field.box)};
      },
      std::move(field.model));
}
ModelFile parse_uai_model(std::string_view text, std::string_view name,
                          const ReadOptions& options) {
  return field_model(parse_uai(text, name), name, options);
}
ModelFile parse_fg_model(std::string_view text, std::string_view name, const ReadOptions& options) {
  return field_model(parse_fg(text, name), name, options);
}

/// The field as tables; an item forced in or out as a table with a zero.
FactorGraph graph_of(const ModelFile& file, std::string_view format) {
  FactorGraph graph;
  if (const auto* pairwise = file.model.as<PairwiseField>())
    graph = factor_graph_of(*pairwise);
  else if (const auto* cut = file.model.as<GraphCut>())
    graph = factor_graph_of(cut->field);
  else if (const auto* gibbs = file.model.as<GibbsField>())
    graph = factor_graph_of(*gibbs);
  else
    fail("a ", kind_of(file.model), " model cannot be written as ", format,
         ", which holds pairwise, cut and gibbs models; json can hold it");
  for (Index i = 0; i < file.box.size(); ++i) {
    const Interval in = file.box[i];
    if (in == Interval{0, 1}) continue;
    require(in == Interval{0, 0} || in == Interval{1, 1}, "the ", format,
            " format cannot hold the interval [", in.low, ", ", in.high, "] of item ", i,
            "; json can");
    const auto variable = static_cast<std::uint32_t>(i);
    graph.factors.push_back(
        {{variable}, in.low == 0 ? std::vector{0.0, -kInfinity} : std::vector{-kInfinity, 0.0}});
  }
  return graph;
}
std::string uai_model_text(const ModelFile& file) { return uai_text(graph_of(file, "uai")); }
std::string fg_model_text(const ModelFile& file) { return fg_text(graph_of(file, "fg")); }

/// In any case, as the ending that names the format.
bool is_sparse(std::string_view name) {
  constexpr std::string_view kEnding = ".sparse";
  return name.size() >= kEnding.size() &&
         std::equal(kEnding.begin(), kEnding.end(), name.end() - kEnding.size(),
                    [](char a, unsigned char b) { return a == std::tolower(b); });
}

ModelFile parse_edges(std::string_view text, std::string_view name, const ReadOptions& options) {
  const auto usual = is_sparse(name) ? EdgeMeaning::kQuadratic : EdgeMeaning::kCut;
  return std::visit([](auto&& model) { return free_of(std::move(model)); },
                    parse_edge_model(text, name, options.meaning.value_or(usual)));
}
std::string edges_text(const ModelFile& file) {
  if (file.model.as<PairwiseField>() != nullptr)
    return edge_list_text(plain<PairwiseField>(file, "edges"));
  return edge_list_text(plain<GraphCut>(file, "edges"));
}

ModelFile parse_cover(std::string_view text, std::string_view name, const ReadOptions& options) {
  return free_of(parse_set_cover(text, name, options.row_weight.value_or(1)));
}
ModelFile parse_steiner(std::string_view text, std::string_view name, const ReadOptions& options) {
  return free_of(parse_steiner_cover(text, name, options.row_weight.value_or(1)));
}
std::string cover_text(const ModelFile& file) {
  return set_cover_text(plain<Coverage>(file, "set-cover"));
}

ModelFile parse_hypergraph(std::string_view text, std::string_view name, const ReadOptions&) {
  auto read = parse_hyperedges(text, name);
  return free_of(std::move(read.model), std::move(read.items));
}
std::string hypergraph_text(const ModelFile& file) {
  return hyperedges_text(plain<HypergraphCut>(file, "hyperedges"), file.items);
}

constexpr std::array<ModelFormat, 9> kFormats{{
    {"json", ".json", "every model, with item names and a box", true, looks_like_json,
     parse_as_json, json_model_text},
    {"uai", ".uai", "factor graphs over binary variables, as pairwise or gibbs", false,
     looks_like_uai, parse_uai_model, uai_model_text},
    {"flid", ".flid", "flid", false, looks_like_flid, parse_flid_model, flid_model_text},
    {"fg", ".fg", "libDAI factor graphs over binary variables, as pairwise or gibbs", false,
     looks_like_fg, parse_fg_model, fg_model_text},
    {"edges", ".edges .rudy .mc .sparse", "edge lists, as cut or pairwise", false, looks_like_edges,
     parse_edges, edges_text},
    {"set-cover", ".scp", "OR-Library set cover, as coverage", false, looks_like_set_cover,
     parse_cover, cover_text},
    {"hyperedges", ".hyperedges", "hyperedge lists, as hypergraph-cut", true, looks_like_hyperedges,
     parse_hypergraph, hypergraph_text},
    {"steiner", ".steiner", "Steiner triple systems (data.N), as coverage", false, nullptr,
     parse_steiner, nullptr},
    {"sfm", ".sfm", "pairwise and cut as a folder of NumPy arrays, with item names and a box", true,
     nullptr, nullptr, nullptr, read_binary_model, write_binary_model},
}};

}  // namespace

std::span<const ModelFormat> model_formats() { return kFormats; }

}  // namespace surefield
