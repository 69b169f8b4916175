#include "surefield/experiments/mixed_signs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> mixed_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::path& place : {folder, folder / "uai", folder / "fg"}) {
    if (!fs::is_directory(place)) continue;
    for (const auto& entry : fs::directory_iterator(place)) {
      const std::string name = entry.path().filename().string();
      if ((name.starts_with("Grids") && name.ends_with(".uai")) || name == "testfast.fg")
        files.push_back(entry.path());
    }
  }
  std::ranges::sort(files, {}, [](const fs::path& path) { return path.filename().string(); });
  return files;
}

Problem mixed_problem(const fs::path& file) {
  const std::string evidence = file.string() + ".evid";
  ReadOptions how;
  if (fs::exists(evidence)) how.evidence = evidence;
  ModelFile read = read_model(file.string(), how);
  return make_problem(std::move(read.model), {}, std::move(read.box), {.no_guarantee = true});
}

Problem random_signs(Index n) {
  Random random(n);
  const auto sign = [&] { return random.chance(0.5) ? 1.0 : -1.0; };
  std::vector<double> bias(n);
  for (double& b : bias) b = sign();
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      if (random.chance(0.5)) edges.push_back({i, j, sign()});
  return make_problem(AnyModel(make_pairwise_field(std::move(bias), edges)), {}, {},
                      {.no_guarantee = true});
}

MixedSignsRow mixed_row(std::string name, const Problem& problem,
                        const MixedSignsOptions& options) {
  const Stopwatch watch;
  const auto go_on = [&] { return !options.budget.spent(); };
  InferOptions how{.certify = options.seconds};
  how.wanted_gap = options.wanted_gap;
  how.budget = options.budget;
  const Result best = infer(problem, how);
  LogZOptions sums{.goal = LogZGoal::kWidth};
  sums.estimates = false;
  sums.budget = Budget().within(options.seconds).asking(go_on);
  const LogZResult log = log_z(problem, sums);
  Claim optimum("the best ELBO");  // no ELBO is above log Z
  if (best.elbo_lower) optimum.at_least({*best.elbo_lower, "the point returned", best.basis});
  if (best.upper_bound) optimum.at_most({*best.upper_bound, best.upper_bound_method, best.basis});
  if (log.upper) optimum.at_most({*log.upper, "an upper bound of log Z", log.basis});
  const auto& high = optimum.high();
  return {.name = std::move(name),
          .n = problem.size(),
          .elbo = best.elbo,
          .upper_bound = high ? std::optional(high->value) : std::nullopt,
          .bound_method = high ? high->method : "",
          .log_z_lower = log.lower,
          .log_z_upper = log.upper,
          .log_z_exact = log.exact,
          .seconds = watch.seconds()};
}

}  // namespace

std::optional<double> MixedSignsRow::gap() const {
  if (!upper_bound) return {};
  return (*upper_bound - elbo) / std::max(1.0, std::abs(elbo));
}

MixedSigns mixed_signs(const MixedSignsOptions& options) {
  const Stopwatch watch;
  require(fs::is_directory(options.folder), options.folder, ": there is no such folder of fields");
  const auto files = mixed_files(options.folder);
  require(!files.empty(), options.folder, ": it holds no file Grids_*.uai or testfast.fg");
  MixedSigns fields;
  Ticker tick(files.size() + options.random_sizes.size(), options.progress);
  const auto take = [&](const std::string& name, auto&& make) {
    if (options.budget.spent()) {
      fields.complete = false;
      return;
    }
    try {
      MixedSignsRow row = mixed_row(name, make(), options);
      if (options.budget.spent())
        fields.complete = false;  // one cut short would not be comparable
      else
        fields.rows.push_back(std::move(row));
    } catch (const Error& error) {
      fields.faults.emplace_back(error.what());
    }
    tick();
  };
  for (const fs::path& file : files)
    take(file.filename().string(), [&] { return mixed_problem(file); });
  for (const Index n : options.random_sizes)
    take(fmt::format("random +-1, n = {}", n), [&] { return random_signs(n); });
  fields.seconds = watch.seconds();
  return fields;
}

std::string mixed_signs_text(const MixedSigns& fields) {
  TextTable table({{"field", TextTable::Side::kLeft},
                   {"n"},
                   {"ELBO"},
                   {"upper bound"},
                   {"gap %"},
                   {"log Z from"},
                   {"to"},
                   {"seconds"}});
  for (const auto& row : fields.rows) {
    const auto gap = row.gap();
    table.add({row.name, fmt::format("{}", row.n), round_down_text(row.elbo, 4),
               round_up_text(row.upper_bound, 4),
               round_up_text(gap ? std::optional(100 * *gap) : std::nullopt, 4),
               round_down_text(row.log_z_lower, 4), round_up_text(row.log_z_upper, 4),
               fmt::format("{:.2f}", row.seconds)});
  }
  std::string out = table.text("");
  for (const auto& fault : fields.faults) out += fmt::format("not certified: {}\n", fault);
  if (!fields.complete) out += "stopped early: fields are missing\n";
  return out;
}

std::string mixed_signs_csv(const MixedSigns& fields) {
  CsvTable csv{"field",       "n",           "elbo",        "upper_bound", "gap",
               "log_z_lower", "log_z_upper", "log_z_exact", "seconds"};
  for (const auto& row : fields.rows)
    csv.add(row.name, row.n, row.elbo, row.upper_bound.value_or(INFINITY),
            row.gap().value_or(INFINITY), row.log_z_lower.value_or(-INFINITY),
            row.log_z_upper.value_or(INFINITY), row.log_z_exact ? 1 : 0, row.seconds);
  return csv.text();
}

std::string mixed_signs_json(const MixedSigns& fields) {
  OrderedJson rows = OrderedJson::array();
  const auto number = [](const std::optional<double>& value) {
    return json_number(value.value_or(INFINITY));
  };
  for (const auto& row : fields.rows)
    rows.push_back({{"field", row.name},
                    {"n", row.n},
                    {"elbo", json_number(row.elbo)},
                    {"upper_bound", number(row.upper_bound)},
                    {"gap", number(row.gap())},
                    {"bound_method", row.bound_method},
                    {"log_z_lower", number(row.log_z_lower)},
                    {"log_z_upper", number(row.log_z_upper)},
                    {"log_z_exact", row.log_z_exact},
                    {"seconds", row.seconds}});
  OrderedJson json = experiment_json({.experiment = "mixed-signs",
                                      .complete = fields.complete,
                                      .faults = fields.faults,
                                      .seconds = fields.seconds});
  json["rows"] = std::move(rows);
  return json_text(json);
}

}  // namespace surefield
