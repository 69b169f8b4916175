// surefield infer MODEL: marginals, ELBO, an upper bound of the best ELBO.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "surefield/api/helping.hpp"
#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/sliced_inference.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/binary/npy_writer.hpp"
#include "surefield/io/check_output.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/order_file.hpp"
#include "surefield/io/point_file.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/result_csv.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/report/result_text.hpp"

namespace surefield::cli {
namespace {

struct InferRequest {
  CommonOptions common;
  ModelInput model;
  InferWork work;
  std::string order, start, hint;  // files
  std::string marginals;           // a file to write
  std::size_t top = 20;
};

/// What the files say, in the variables of the problem.
void read_files(InferRequest& options, const Problem& problem) {
  const Index n = problem.size();
  if (!options.order.empty())
    options.work.how.given_order = read_order(options.order, n, ItemLookup(n, 0, problem.items));
  if (!options.start.empty())
    options.work.how.start_point = in_problem_variables(problem, read_point(options.start, n));
  if (!options.hint.empty())
    options.work.how.hint = in_problem_variables(problem, read_point(options.hint, n));
}

/// With a bar of the time given, where one was: certification goes on until it is used up or the
/// gap is closed.
Result infer_watched(const Problem& problem, InferRequest& options) {
  const auto budget = options.work.how.certify ? options.work.how.certify : options.work.seconds;
  TimeBar bar(budget, options.work.how.certify ? "certify" : "infer", options.common);
  options.work.how.budget = options.work.how.budget.asking([&] {
    bar.tick();
    return true;
  });
  return infer(problem, options.work.how);
}

void set_budget(InferRequest& options) {
  options.work.how.seed = options.common.seed;
  options.work.how.budget = budget_of(options.common);
  if (options.work.seconds)
    options.work.how.budget = options.work.how.budget.within(*options.work.seconds);
  catch_interrupt();
}

/// The answer, and the exit code.
int answer(const Result& result, const InferRequest& options) {
  deliver(options.common.format == "json"  ? result_json(result)
          : options.common.format == "csv" ? result_csv(result)
                                           : result_text(result, options.top),
          options.common);
  return finish("infer", ending_of(result, options.work, interrupted()), options.common);
}

/// By all processes; one of them answers.
int infer_in_slices(InferRequest& options, SlicedInference& sliced) {
  const ModelInput& model = options.model;
  require(model.in.empty() && model.out.empty() && model.box.empty() && model.evidence.empty(),
          "over ranks: --in, --out, --box and --evidence are not offered; `surefield convert` "
          "writes a box into the model");
  require(options.order.empty() && options.hint.empty(),
          "over ranks: --order-file and --hint-file are not offered");
  require(options.start.empty() || options.start.ends_with(".npy"),
          "over ranks: --start-file must be a .npy array, which is read in slices");
  set_budget(options);
  catch_interrupt();
  const Result result =
      sliced.infer(model.path, options.work.how, options.start, options.marginals);
  return answers() ? answer(result, options) : kDone;
}

int run_infer(InferRequest& options) {
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence,
                                   options.order, options.start, options.hint});
  if (!options.marginals.empty()) {
    require(options.marginals.ends_with(".npy"), "--marginals: the file is ", options.marginals,
            ", which must end in .npy");
    require(options.common.format != "csv",
            "--marginals: csv is a table of marginals itself; it is for text and json");
    check_output(options.marginals, std::vector{options.model.path, options.start, options.hint});
  }
  SlicedInference* const sliced = sliced_inference();
  if (sliced != nullptr && folder_format(options.model.path, options.model.format) != nullptr)
    return infer_in_slices(options, *sliced);
  if (sliced != nullptr) {
    const std::string why = options.model.path +
                            " is not: ranks share the variables of pairwise fields and cuts alone, "
                            "as what a move changes "
                            "of other families is kept a concept or group, not a variable";
    require(sliced->checkpoint.empty(), "over ranks: --checkpoint is of binary models, and ", why);
    require(!sliced->partition_given, "over ranks: --partition is of binary models, and ", why);
  }
  const bool shared = crew() != nullptr && options.work.how.certify;
  if (!shared && !answers()) return kDone;
  if (!shared)
    say_alone("infer", "ranks share the variables of binary models, and proofs (--certify)",
              options.common);
  const Problem problem = load_problem_of_any_sign(options.model, options.common);
  read_files(options, problem);
  set_budget(options);
  std::optional<Result> found;
  const auto search = [&](Helpers* helpers) {
    options.work.how.helpers = helpers;
    found = infer_watched(problem, options);
  };
  if (shared)
    crew()->lead(budget_of(options.common), search, helpers_with(problem));
  else
    search(nullptr);
  if (!found) return kDone;  // another process answers
  Result& result = *found;
  if (!options.marginals.empty()) {
    write_npy(options.marginals, result.marginals);
    result.marginals_file = options.marginals;
  }
  return answer(result, options);
}

/// What only the program over ranks has.
void add_rank_options(CLI::App& command, SlicedInference& sliced) {
  const std::string group = "Over ranks";
  command
      .add_option("--partition", sliced.partition,
                  "how a binary model is shared: blocks of its order, scotch, or random; no answer "
                  "depends on it")
      ->check(CLI::IsMember({"blocks", "scotch", "random"}))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--checkpoint", sliced.checkpoint, "save the run to this folder every so often")
      ->group(group);
  command.add_option("--every", sliced.every, "seconds between two checkpoints")
      ->check(takes(kSeconds))
      ->capture_default_str()
      ->group(group);
  command.add_flag("--resume", sliced.resume, "go on from the checkpoint, on any number of ranks")
      ->group(group);
}

}  // namespace

SlicedInference*& sliced_inference() {
  static SlicedInference* door = nullptr;
  return door;
}

void add_infer(CLI::App& program, Action& action) {
  auto options = std::make_shared<InferRequest>();
  auto* command = program.add_subcommand("infer",
                                         "marginals of p(S) ~ exp(beta F(S)) by mean field, with a "
                                         "bound on how much better any can be");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  add_work_options(*command, options->work);
  command
      ->add_option("--order-file", options->order,
                   "the order itself: an item a line, or a JSON array (of arrays: one an epoch)")
      ->excludes(command->get_option("--order"));
  command
      ->add_option(
          "--start-file", options->start,
          "a point to start coordinate-ascent or best from: a number a line, a JSON array, "
          "or an earlier result in JSON; moved into the box")
      ->excludes(command->get_option("--start"));
  command->add_option("--hint-file", options->hint,
                      "the point that guarded follows as far as its guarantee allows, as above");
  command
      ->add_option("--top", options->top,
                   "how many items the text shows, most likely first; 0 = all")
      ->check(takes(kCounted))
      ->capture_default_str();
  if (SlicedInference* const sliced = sliced_inference()) add_rank_options(*command, *sliced);
  command->add_option("--marginals", options->marginals,
                      "write the marginals to this .npy file (numpy.load reads it), and leave them "
                      "out of the JSON");
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield infer model.json --in 3,7 --out 0 --format json\n"
      "  surefield infer model.json --certify 10 --threads 2\n"
      "  surefield infer grid.uai --evidence grid.uai.evid -a coordinate-ascent --start random "
      "--seed 7\n"
      "  surefield infer model.json --in 3 --start-file result.json");
  command->callback([options, command, &action] {
    refuse_outside_scope(*command, infer_scopes(options->work.how.polish), "algorithm",
                         options->work.how.algorithm);
    refuse_without(*command, "--gap", "--certify");
    if (sliced_inference() != nullptr) {
      refuse_without(*command, "--every", "--checkpoint");
      refuse_without(*command, "--resume", "--checkpoint");
      sliced_inference()->partition_given = command->get_option("--partition")->count() > 0;
    }
    options->work.how.epochs_given = command->get_option("--epochs")->count() > 0;
    action = [options] { return run_infer(*options); };
  });
}

}  // namespace surefield::cli
