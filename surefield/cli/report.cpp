// surefield report RESULT.json...: one HTML page of any results, which opens offline.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "surefield/cli/command.hpp"
#include "surefield/cli/page_template.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/page.hpp"

namespace surefield::cli {
namespace {

struct ReportRequest {
  std::vector<std::string> files;
  std::string title = "Surefield report";
  CommonOptions common;
};

int run_report(const ReportRequest& options) {
  std::vector<PageResult> results;
  std::vector<std::string> faults;
  for (const auto& path : options.files) {
    try {
      results.push_back(
          {std::filesystem::path(path).filename().string(), page_json(path, read_file(path))});
    } catch (const Error& error) {
      faults.emplace_back(error.what());
    }
  }
  if (results.empty()) {  // the last fault is told as every refusal is
    for (std::size_t k = 0; k + 1 < faults.size(); ++k)
      fmt::print(stderr, "surefield: {}\n", faults[k]);
    fail(faults.back());
  }
  deliver(report_page(page_template(), results, options.title), options.common);
  for (const auto& fault : faults) fmt::print(stderr, "surefield: {}\n", fault);
  Ending ending;
  if (!faults.empty())
    ending.missing.push_back(
        fmt::format("{} of {} files are not on the page", faults.size(), options.files.size()));
  return finish("report", ending, options.common);
}

}  // namespace

void add_report(CLI::App& program, Action& action) {
  auto options = std::make_shared<ReportRequest>();
  options->common.output = "report.html";
  auto* command = program.add_subcommand(
      "report", "one HTML page of any results, with charts and tables, that opens offline");
  command
      ->add_option("results", options->files,
                   "result JSON, as every command writes it by --format json")
      ->required();
  command->add_option("-o,--output", options->common.output, "the page")->capture_default_str();
  command->add_option("--title", options->title, "of the page")->capture_default_str();
  command->add_flag("-q,--quiet", options->common.quiet, "say nothing on stderr but errors");
  command->footer(
      "Example:\n  surefield infer model.json --trace --format json -o infer.json\n"
      "  surefield logz model.json --format json -o logz.json\n"
      "  surefield report infer.json logz.json -o report.html");
  command->callback([options, &action] { action = [options] { return run_report(*options); }; });
}

}  // namespace surefield::cli
