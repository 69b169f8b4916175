// surefield recommend MODEL --have a,b -k 5: the most probable additions to a basket, and the
// basket completed; --baskets FILE: to each basket of a file.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "surefield/api/recommend_each.hpp"
#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/sets_input.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/io/write_file.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/recommend_report.hpp"

namespace surefield::cli {
namespace {

constexpr double kSlow = 1000;  // baskets a second

struct RecommendRequest {
  CommonOptions common;
  ModelInput model;
  SetsInput input;
  std::string baskets;
  std::vector<std::string> have, out;
  RecommendWork work;
};

/// Answers go out as they come, unless they go to a file, which is written whole.
int run_baskets(const Problem& problem, RecommendRequest& options) {
  const CommonOptions& common = options.common;
  const SetCollection baskets =
      load_sets_for(options.baskets, options.input, problem.size(), problem.items, common);
  const Stopwatch watch;
  std::string waiting = basket_answers_head(common.format);
  const auto found = recommend_each(
      problem, baskets, options.work.how, [&](Index first, std::span<const BasketAnswer> answers) {
        waiting += basket_answers_text(common.format, first, answers, problem.items);
        if (common.output.empty()) deliver_part(std::exchange(waiting, {}));
      });
  if (common.output.empty()) {
    deliver_part(waiting);
  } else {
    write_file(common.output, waiting);
    say(fmt::format("wrote {}", common.output), common);
  }
  const double seconds = watch.seconds();
  const double rate = static_cast<double>(found.answered) / seconds;
  say(fmt::format(
          "recommend: {} baskets, by {}, {:.3g} s, {:.3g} a second{}", found.answered, found.method,
          seconds, rate,
          found.method == "gain" && options.work.how.method == "auto"
              ? " (marginals take more than a millisecond a basket: --method exact, mean-field)"
          : rate < kSlow && found.method != "gain" ? " (--method gain takes less)"
                                                   : ""),
      common);
  return finish("recommend", {.interrupted = interrupted() || !found.complete}, common);
}

int run_recommend(RecommendRequest& options) {
  check_output_of(options.common, {options.model.path, options.model.evidence, options.baskets,
                                   options.input.names});
  const Problem problem = load_problem_of_any_sign(options.model, options.common);
  const ItemLookup lookup(problem.size(), 0, problem.items);
  RecommendOptions& how = options.work.how;
  const auto have = labels_in(options.have, lookup, "--have");
  how.have = find_items(have, lookup, problem.items, "--have");
  how.out = find_items(labels_in(options.out, lookup, "--out"), lookup, problem.items, "--out");
  for (Index k = 0; k < how.have.size(); ++k)
    require(std::ranges::find(how.out, how.have[k]) == how.out.end(), "--have: item '", have[k],
            "' is left out by --out");
  how.seed = options.common.seed;
  how.budget = budget_of(options.common);
  catch_interrupt();
  if (!options.baskets.empty()) return run_baskets(problem, options);
  const RecommendResult answer = recommend(problem, how);
  deliver(options.common.format == "json"  ? recommend_json(answer)
          : options.common.format == "csv" ? recommend_csv(answer)
                                           : recommend_text(answer),
          options.common);
  if (answer.left < how.count)
    say(fmt::format("recommend: {} were asked for, {} left to suggest", how.count,
                    answer.left == 1 ? "1 item is" : fmt::format("{} items are", answer.left)),
        options.common);
  return finish("recommend", ending_of(answer, interrupted()), options.common);
}

}  // namespace

void add_recommend(CLI::App& program, Action& action) {
  auto options = std::make_shared<RecommendRequest>();
  auto* command = program.add_subcommand(
      "recommend", "the most probable additions to a half-filled basket, and the basket completed");
  add_model_file(*command, options->model);
  command->add_option(
      "--have", options->have,
      "items in the basket, by name or by id from 0: repeated, or comma separated with "
      "names that hold commas in double quotes");
  command->add_option("--out", options->out, "items not to be suggested");
  command
      ->add_option("--baskets", options->baskets,
                   "a file of baskets, - for stdin: suggestions to each, a line a basket")
      ->excludes(command->get_option("--have"));
  add_sets_options(*command, options->input);
  add_work_options(*command, options->work);
  command->add_option("--evidence", options->model.evidence,
                      "UAI evidence file: variables that are observed");
  command->add_flag(
      "--no-guarantee", options->model.no_guarantee,
      "say nothing where the model is not log-submodular, so that nothing is claimed");
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield recommend model.json --have cot,pram -k 5 --explain\n"
      "  surefield recommend model.json --have 3,7 --out 0 --format json\n"
      "  surefield recommend model.json --baskets baskets.csv -k 10 --format csv -o answers.csv");
  command->callback([options, command, &action] {
    for (const char* option : {"--names", "--first-id", "--skip-unknown", "--separator", "--header",
                               "--no-header", "--form", "--long", "--encoding", "--blank"})
      refuse_without(*command, option, "--baskets");
    action = [options] { return run_recommend(*options); };
  });
}

}  // namespace surefield::cli
