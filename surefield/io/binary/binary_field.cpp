#include "surefield/io/binary/binary_field.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "surefield/core/ordered_json.hpp"
#include "surefield/io/binary/new_folder.hpp"
#include "surefield/io/binary/npy_writer.hpp"
#include "surefield/io/json_cursor.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/utf8.hpp"
#include "surefield/io/write_file.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"

namespace surefield {
namespace {

constexpr std::uint64_t kMostInMemory = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostOfAll = std::uint64_t{1} << 48;

const PairwiseField& field_in(const ModelFile& file) {
  if (const auto* field = file.model.as<PairwiseField>()) return *field;
  const auto* const cut = file.model.as<GraphCut>();
  require(cut != nullptr, "a ", kind_of(file.model),
          " model cannot be written as sfm, which holds pairwise and cut models; json can hold it");
  return cut->field;
}

}  // namespace

BinaryField::BinaryField(const std::string& folder) : folder_(folder) {
  while (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
  std::error_code ignored;
  const std::string index = folder_ + "/" + std::string(kBinaryIndex);
  require(std::filesystem::is_directory(folder_, ignored), folder_,
          ": cannot be read: a model of the format sfm is a folder");
  const nlohmann::json document = parse_json(read_file(index), index);
  const JsonCursor top(document, index);
  top.allow_only({"surefield", "form", "kind", "variables", "edge_ends", "constant",
                  "inherited_error", "items"});
  const JsonCursor version = top.at("surefield");
  if (version.text() != "1") version.refuse("'1', the version this program reads");
  const JsonCursor form = top.at("form");
  if (form.text() != "arrays") form.refuse("'arrays'");
  const JsonCursor kind = top.at("kind");
  if (kind.text() != PairwiseField::kKind) kind.refuse("'pairwise'");
  variables_ = top.at("variables").whole(0, kMostOfAll);
  edge_ends_ = top.at("edge_ends").whole(0, kMostOfAll);
  constant_ = top.at("constant").number();
  if (const auto error = top.find("inherited_error")) {
    inherited_error_ = error->number();
    if (inherited_error_ < 0) error->refuse("a number >= 0");
  }
  if (const auto items = top.find("items")) {
    for (Index i = 0; i < items->size(); ++i) items_.push_back(items->element(i).text());
    if (items_.size() != variables_)
      items->fail_here("names ", items_.size(), " items, but there are ", variables_);
  }
  const auto open = [this](std::string_view name, std::uint64_t count) -> const NpyArray& {
    const NpyArray& array = arrays_.emplace_back(file(name));
    require(array.count() == count, file(name), ": it holds ", array.count(),
            " numbers, which must be ", count);
    return array;
  };
  bias_values_ = open("bias", variables_).values<double>();
  start_values_ = open("start", variables_ + 1).values<std::uint64_t>();
  const NpyArray& neighbours = open("neighbour", edge_ends_);
  if (neighbours.type() == npy_type<std::uint32_t>())
    narrow_ = neighbours.values<std::uint32_t>();
  else
    wide_ = neighbours.values<std::uint64_t>();
  coupling_values_ = open("coupling", edge_ends_).values<double>();
  const bool low = std::filesystem::exists(file("low"), ignored);
  const bool high = std::filesystem::exists(file("high"), ignored);
  require(low == high, folder_, ": it holds only one of low.npy and high.npy, but a box has both");
  if (low) low_values_ = open("low", variables_).values<double>();
  if (high) high_values_ = open("high", variables_).values<double>();
  require(start_values_[0] == 0 && start_values_[variables_] == edge_ends_, file("start"),
          ": it goes from ", start_values_[0], " to ", start_values_[variables_],
          ", which must be from 0 to ", edge_ends_);
}

std::optional<std::uint64_t> BinaryField::find(std::uint64_t node, std::uint64_t other) const {
  std::uint64_t first = start(node);
  std::uint64_t last = start(node + 1);
  if (first > last || last > edge_ends_) return std::nullopt;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (neighbour(middle) < other)
      first = middle + 1;
    else
      last = middle;
  }
  if (first < start(node + 1) && neighbour(first) == other) return first;
  return std::nullopt;
}

void BinaryField::check(std::uint64_t first, std::uint64_t last) const {
  // Made once: to put a name together takes longer than to look at a number.
  const std::string biases = file("bias"), starts = file("start"), neighbours = file("neighbour"),
                    couplings = file("coupling");
  for (std::uint64_t i = first; i < last; ++i) {
    require(std::isfinite(bias(i)), biases, ": number ", i, " is ", bias(i),
            ", which must be finite");
    require(start(i) <= start(i + 1) && start(i + 1) <= edge_ends_, starts, ": numbers ", i,
            " and ", i + 1, " are ", start(i), " and ", start(i + 1),
            ", which must ascend to at most ", edge_ends_);
    const Interval in = interval(i);
    require(0 <= in.low && in.low <= in.high && in.high <= 1, folder_, ": the box of item ", i,
            " is [", in.low, ", ", in.high, "], which must be ascending in [0, 1]");
    for (std::uint64_t e = start(i); e < start(i + 1); ++e) {
      const std::uint64_t j = neighbour(e);
      require(j < variables_, neighbours, ": number ", e, " is ", j, ", which must be below ",
              variables_);
      require(j != i, neighbours, ": number ", e, " joins node ", i, " to itself");
      if (e > start(i) && neighbour(e - 1) >= j)
        fail(neighbours, ": numbers ", e - 1, " and ", e, " of node ", i, " are ", neighbour(e - 1),
             " and ", j, ", which must ascend");
      require(std::isfinite(coupling(e)), couplings, ": number ", e, " is ", coupling(e),
              ", which must be finite");
      const auto back = find(j, i);
      require(back.has_value(), neighbours, ": node ", i, " has the neighbour ", j,
              ", which has no neighbour ", i);
      require(coupling(*back) == coupling(e), couplings, ": the coupling of ", i, " and ", j,
              " is ", coupling(e), " at one end and ", coupling(*back), " at the other");
    }
  }
}

std::string binary_index_text(std::uint64_t variables, std::uint64_t edge_ends, double constant,
                              double inherited_error, const std::vector<std::string>& items) {
  OrderedJson object{
      {"surefield", "1"},       {"form", "arrays"},       {"kind", PairwiseField::kKind},
      {"variables", variables}, {"edge_ends", edge_ends}, {"constant", constant}};
  if (inherited_error != 0) object["inherited_error"] = inherited_error;
  for (Index i = 0; i < items.size(); ++i)
    require(is_utf8(items[i]), "the name of item ", i, " is not UTF-8, which a JSON file must be");
  if (!items.empty()) object["items"] = items;
  return object.dump(2) + "\n";
}

ModelFile read_binary_model(const std::string& folder) {
  const BinaryField in(folder);
  const std::uint64_t n = in.variables();
  require(n < kMostInMemory, folder, ": it has ", n, " variables, more than the ",
          kMostInMemory - 1, " of one process; surefield-mpi reads it in slices");
  in.check(0, n);
  PairwiseField field;
  field.constant = in.constant();
  field.inherited_error = in.inherited_error();
  field.bias.resize(n);
  field.start.resize(n + 1);
  field.neighbour.resize(in.edge_ends());
  field.coupling.resize(in.edge_ends());
  Box box = unit_box(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    field.bias[i] = in.bias(i);
    field.start[i + 1] = in.start(i + 1);
    box.low[i] = in.interval(i).low;
    box.high[i] = in.interval(i).high;
  }
  for (std::uint64_t e = 0; e < in.edge_ends(); ++e) {
    field.neighbour[e] = static_cast<std::uint32_t>(in.neighbour(e));
    field.coupling[e] = in.coupling(e);
  }
  return {std::move(field), in.items(), std::move(box)};
}

void write_binary_model(const std::string& path, const ModelFile& file) {
  const PairwiseField& field = field_in(file);
  const std::uint64_t n = field.size();
  const std::uint64_t ends = field.neighbour.size();
  NewFolder folder(path, kBinaryIndex);
  const auto write = [&folder]<class T>(std::string_view name, const std::vector<T>& values) {
    NpyWriter<T> out(folder.file(name), values.size());
    out.write(values);
    out.close();
  };
  write("bias.npy", field.bias);
  NpyWriter<std::uint64_t> start(folder.file("start.npy"), n + 1);
  for (const std::size_t at : field.start) start.write(std::uint64_t{at});
  start.close();
  write("neighbour.npy", field.neighbour);
  write("coupling.npy", field.coupling);
  if (!(file.box == unit_box(n))) {
    write("low.npy", file.box.low);
    write("high.npy", file.box.high);
  }
  write_file(folder.file(kBinaryIndex),
             binary_index_text(n, ends, field.constant, field.inherited_error, file.items));
  folder.keep();
}

}  // namespace surefield
