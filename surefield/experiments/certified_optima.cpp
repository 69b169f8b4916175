#include "surefield/experiments/certified_optima.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "surefield/api/agreement.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/io/formats.hpp"

namespace surefield {
namespace {

struct Task {
  std::string name, second;  // file names; no second: an ELBO
  Index dimensions;
};

std::vector<Task> tasks_in(const std::string& folder) {
  const std::regex form("([a-z]+)_flid_d_([0-9]+)_fold_([0-9]+)\\.txt");
  std::vector<Task> elbo;
  std::vector<Task> agreement;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  for (const auto& name : names) {
    std::smatch parts;
    if (!std::regex_match(name, parts, form)) continue;
    const auto dimensions = static_cast<Index>(std::stoul(parts[2]));
    elbo.push_back({name, "", dimensions});
    const std::string second = parts[1].str() + "_flid_d_" + parts[2].str() + "_fold_2.txt";
    if (parts[3] == "1" && names.contains(second)) agreement.push_back({name, second, dimensions});
  }
  elbo.insert(elbo.end(), agreement.begin(), agreement.end());
  return elbo;
}

}  // namespace

double CertifiedOptimum::gap() const { return (upper_bound - value) / std::abs(value); }

std::vector<CertifiedOptimum> certified_optima(const CertifiedOptimaOptions& options) {
  require(std::filesystem::is_directory(options.folder), options.folder,
          ": there is no such folder of models");
  const auto tasks = tasks_in(options.folder);
  require(!tasks.empty(), options.folder, ": it holds no file <category>_flid_d_<D>_fold_<k>.txt");
  const auto problem_of = [&](const std::string& name) {
    return make_problem(
        read_model((std::filesystem::path(options.folder) / name).string(), {.format = "flid"})
            .model);
  };
  std::vector<CertifiedOptimum> optima(tasks.size());
  for_each_index(tasks.size(), options.threads, [&](std::size_t t) {
    if (options.go_on && !options.go_on()) return;
    const Task& task = tasks[t];
    const bool agreement = !task.second.empty();
    const Problem problem = agreement
                                ? agreement_problem(problem_of(task.name), problem_of(task.second))
                                : problem_of(task.name);
    InferOptions how;
    how.certify = options.seconds;
    how.wanted_gap = options.wanted_gap;
    const Result result = infer(problem, how);
    optima[t] = {.name = agreement ? task.name + " + " + task.second : task.name,
                 .dimensions = task.dimensions,
                 .agreement = agreement,
                 .value = result.elbo,
                 .upper_bound = result.upper_bound.value_or(INFINITY),
                 .seconds = result.seconds};
  });
  std::erase_if(optima, [](const CertifiedOptimum& optimum) { return optimum.name.empty(); });
  return optima;
}

std::string certified_optima_text(const std::vector<CertifiedOptimum>& optima) {
  constexpr std::array kGaps{1e-6, 1e-4, 1e-3, 1e-2};
  std::string out = fmt::format("{:<8}{:>4}{:>10}", "", "D", "problems");
  for (const double gap : kGaps) out += fmt::format("{:>9}", fmt::format("<={:.0e}", gap));
  out +=
      fmt::format("{:>12}{:>11}{:>11}  {}\n", "worst gap", "longest s", "total s", "worst problem");
  for (const bool agreement : {false, true}) {
    std::map<Index, std::vector<const CertifiedOptimum*>> by_dimension;
    for (const auto& optimum : optima)
      if (optimum.agreement == agreement) by_dimension[optimum.dimensions].push_back(&optimum);
    for (const auto& [dimensions, rows] : by_dimension) {
      out +=
          fmt::format("{:<8}{:>4}{:>10}", agreement ? "PA-ELBO" : "ELBO", dimensions, rows.size());
      for (const double gap : kGaps)
        out += fmt::format("{:>9}", std::count_if(rows.begin(), rows.end(), [gap](const auto* row) {
                             return row->gap() <= gap * (1 + 1e-9);
                           }));
      const auto* const worst = *std::max_element(
          rows.begin(), rows.end(), [](auto* a, auto* b) { return a->gap() < b->gap(); });
      double longest = 0;
      double total = 0;
      for (const auto* row : rows) longest = std::max(longest, row->seconds), total += row->seconds;
      out += fmt::format("{:>12.2e}{:>11.3f}{:>11.2f}  {}\n", worst->gap(), longest, total,
                         worst->name);
    }
  }
  return out;
}

std::string certified_optima_csv(const std::vector<CertifiedOptimum>& optima) {
  std::string out = "problem,objective,D,value,upper_bound,gap,seconds\n";
  for (const auto& o : optima)
    fmt::format_to(std::back_inserter(out), "{},{},{},{:.17g},{:.17g},{:.3e},{:.6f}\n", o.name,
                   o.agreement ? "pa-elbo" : "elbo", o.dimensions, o.value, o.upper_bound, o.gap(),
                   o.seconds);
  return out;
}

}  // namespace surefield
