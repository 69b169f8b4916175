#include "surefield/experiments/best_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "surefield/api/best_set.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/set_cover.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

namespace fs = std::filesystem;

struct PublicInstance {
  fs::path file;
  bool cover;  // else a cut
};

std::vector<PublicInstance> instances_in(const fs::path& folder) {
  std::vector<PublicInstance> found;
  for (const fs::path& place : {folder, folder / "maxcut_gset", folder / "orlib_scp"}) {
    if (!fs::is_directory(place)) continue;
    for (const auto& entry : fs::directory_iterator(place)) {
      const std::string name = entry.path().filename().string();
      const std::string stem = entry.path().stem().string();
      if (!name.ends_with(".txt") || stem.size() < 2) continue;
      const bool cut = stem[0] == 'G' && stem.find_first_not_of("0123456789", 1) == stem.npos;
      if (cut || stem.starts_with("scp")) found.push_back({entry.path(), !cut});
    }
  }
  // Cuts first, then by name; of two numbers the one with fewer digits.
  std::ranges::sort(found, {}, [](const PublicInstance& instance) {
    const std::string name = instance.file.filename().string();
    return std::tuple(instance.cover, instance.cover ? 0 : name.size(), name);
  });
  return found;
}

/// Of every line its first word and its last number: `G1 11624`, `scp41.txt,200,1000,38`.
std::map<std::string, double> published_values(const fs::path& file) {
  std::map<std::string, double> values;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line);
    std::string name, word, last;
    words >> name;
    while (words >> word) last = word;
    double value = 0;
    const auto read = std::from_chars(last.data(), last.data() + last.size(), value);
    if (read.ec == std::errc{} && read.ptr == last.data() + last.size()) values[name] = value;
  }
  return values;
}

BestSetsRow best_sets_row(const PublicInstance& instance, const BestSetsOptions& options) {
  const fs::path folder = instance.file.parent_path();
  const auto known =
      published_values(folder / (instance.cover ? "unicost_best_known.csv" : "best_known.txt"));
  const auto at =
      known.find((instance.cover ? instance.file.filename() : instance.file.stem()).string());
  ModelFile read;
  double rows = 0;
  if (instance.cover) {
    Coverage cover = read_set_cover(instance.file.string());
    std::ranges::fill(cover.cost, 1.0);
    rows = static_cast<double>(cover.members.groups());
    read.box = unit_box(cover.size());
    read.model = AnyModel(std::move(cover));
  } else {
    read = read_model(instance.file.string());
  }
  const Stopwatch watch;
  const Problem problem =
      make_problem(std::move(read.model), {}, std::move(read.box), {.no_guarantee = true});
  const BestSetResult found = best_set(problem, {.wanted_gap = options.wanted_gap,
                                                 .seed = options.seed,
                                                 .budget = options.budget.within(options.seconds)});
  require(found.status != Status::kFailed, instance.file.string(), ": ",
          found.notes.empty() ? "it failed" : found.notes.back());
  BestSetsRow row{.name = instance.file.stem().string(),
                  .n = problem.size(),
                  .value = found.value,
                  .found_by = found.found_by,
                  .upper = found.upper,
                  .upper_method = found.upper_method,
                  .seconds = watch.seconds()};
  if (at != known.end()) row.best_known = instance.cover ? rows - at->second : at->second;
  return row;
}

std::string plain_number(double value) { return fmt::format("{:.10g}", value); }

}  // namespace

std::optional<double> BestSetsRow::gap() const {
  if (!upper) return {};
  return (*upper - value) / std::max(1.0, std::abs(value));
}

BestSets best_sets(const BestSetsOptions& options) {
  const Stopwatch watch;
  require(fs::is_directory(options.folder), options.folder,
          ": there is no such folder of instances");
  const auto instances = instances_in(options.folder);
  require(!instances.empty(), options.folder, ": it holds no file G*.txt or scp*.txt");
  BestSets sets;
  Ticker tick(instances.size(), options.progress);
  for (const PublicInstance& instance : instances) {
    if (options.budget.spent()) {
      sets.complete = false;
      break;
    }
    try {
      BestSetsRow row = best_sets_row(instance, options);
      if (options.budget.spent())
        sets.complete = false;  // one cut short would not be comparable
      else
        sets.rows.push_back(std::move(row));
    } catch (const Error& error) {
      sets.faults.emplace_back(error.what());
    }
    tick();
  }
  sets.seconds = watch.seconds();
  return sets;
}

std::string best_sets_text(const BestSets& sets) {
  TextTable table({{"instance", TextTable::Side::kLeft},
                   {"n"},
                   {"value"},
                   {"best known"},
                   {"upper bound"},
                   {"gap %"},
                   {"seconds"},
                   {"bound by", TextTable::Side::kLeft}});
  for (const auto& row : sets.rows) {
    const auto gap = row.gap();
    table.add({row.name, fmt::format("{}", row.n), plain_number(row.value),
               row.best_known ? plain_number(*row.best_known) : "", round_up_text(row.upper, 2),
               round_up_text(gap ? std::optional(100 * *gap) : std::nullopt, 2),
               fmt::format("{:.2f}", row.seconds), row.upper_method});
  }
  std::string out = table.text("");
  for (const auto& fault : sets.faults) out += fmt::format("not certified: {}\n", fault);
  if (!sets.complete) out += "stopped early: instances are missing\n";
  return out;
}

std::string best_sets_csv(const BestSets& sets) {
  CsvTable csv{"instance", "n", "value", "best_known", "upper", "gap", "seconds"};
  for (const auto& row : sets.rows)
    csv.add(row.name, row.n, row.value, row.best_known.value_or(NAN), row.upper.value_or(INFINITY),
            row.gap().value_or(INFINITY), row.seconds);
  return csv.text();
}

std::string best_sets_json(const BestSets& sets) {
  OrderedJson rows = OrderedJson::array();
  const auto number = [](const std::optional<double>& value) {
    return json_number(value.value_or(INFINITY));
  };
  for (const auto& row : sets.rows)
    rows.push_back({{"instance", row.name},
                    {"n", row.n},
                    {"value", json_number(row.value)},
                    {"found_by", row.found_by},
                    {"best_known", number(row.best_known)},
                    {"upper", number(row.upper)},
                    {"upper_method", row.upper_method},
                    {"gap", number(row.gap())},
                    {"seconds", row.seconds}});
  OrderedJson json = experiment_json({.experiment = "best-sets",
                                      .complete = sets.complete,
                                      .faults = sets.faults,
                                      .seconds = sets.seconds});
  json["rows"] = std::move(rows);
  return json_text(json);
}

}  // namespace surefield
