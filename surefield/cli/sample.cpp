// surefield sample MODEL -k 100: sets from p(S), one a line, exact where possible, and which it was
// on stderr.
#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "surefield/api/sample.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/exit_code.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/report/result_csv.hpp"

namespace surefield::cli {
namespace {

struct Options {
  CommonOptions common;
  ModelInput model;
  SampleOptions sample;
};

/// One set a line, comma separated: names where there are names, else ids from 0. The empty set is
/// an empty line.
std::string lines(const SampleResult& result, const Problem& problem) {
  std::string out;
  for (const auto& set : result.sets) {
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (k > 0) out += ',';
      out += problem.items.empty() ? fmt::format("{}", set[k]) : csv_field(problem.items[set[k]]);
    }
    out += '\n';
  }
  return out;
}

std::string json(const SampleResult& result, const Problem& problem, const Options& options) {
  using Json = nlohmann::ordered_json;
  return Json{{"surefield", "1"},
              {"command", "sample"},
              {"model", {{"kind", problem.kind}, {"n", problem.size()}, {"items", problem.items}}},
              {"method", result.method},
              {"exact", result.exact},
              {"acceptance", result.acceptance},
              {"seed", options.common.seed},
              {"sets", result.sets}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

int run(Options& options) {
  options.model.no_guarantee = true;  // Gibbs sampling needs no submodularity
  const Problem problem = load_problem(options.model);
  options.sample.seed = options.common.seed;
  options.sample.go_on = [] { return !interrupted(); };
  catch_interrupt();
  const SampleResult result = sample(problem, options.sample);
  deliver(options.common.format == "json" ? json(result, problem, options) : lines(result, problem),
          options.common);
  say(result.exact ? fmt::format("{}; {:.1f} % of the draws were kept", result.method,
                                 100 * result.acceptance)
                   : result.method,
      options.common);
  Ending ending{.interrupted = interrupted()};
  if (result.sets.size() < options.sample.count)
    ending.missing.push_back(
        fmt::format("{} of the {} sets are drawn", result.sets.size(), options.sample.count));
  return finish("sample", ending, options.common);
}

}  // namespace

void add_sample(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand(
      "sample", "sets drawn from p(S) ~ exp(beta F(S)), exact where possible");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  command->add_option("-k,--count", options->sample.count, "how many sets")
      ->check(takes(WholeRule{0, 100000000}))
      ->capture_default_str();
  command
      ->add_option("--method", options->sample.method,
                   "perfect is independent and exact, gibbs approximate")
      ->check(CLI::IsMember({"auto", "perfect", "gibbs"}))
      ->capture_default_str();
  command->add_option("--beta", options->sample.inverse_temperature, "inverse temperature")
      ->check(takes(kPositive))
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer("Example:\n  surefield sample model.json -k 100 --seed 7 -o sets.csv");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace surefield::cli
