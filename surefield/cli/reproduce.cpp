// surefield reproduce: the paper's Table 1 beside the printed numbers, and what is certified beyond it.
#include <fmt/format.h>

#include <memory>

#include "surefield/cli/command.hpp"
#include "surefield/core/error.hpp"
#include "surefield/experiments/certified_optima.hpp"
#include "surefield/experiments/hard_grid.hpp"
#include "surefield/experiments/table1.hpp"

namespace surefield::cli {
namespace {

struct Options {
  std::string what, output, format = "text";
  std::string folder, stream;
  double seconds = 60;
  std::optional<double> certify;
  std::optional<double> gap;
  bool only_published = false;
  unsigned threads = 2;
  bool quiet = false;
};

int run(const Options& options) {
  CommonOptions common;
  common.output = options.output;
  common.quiet = options.quiet;
  catch_interrupt();
  const auto go_on = [] { return !interrupted(); };
  const auto refuse_format = [&] {
    require(options.format == "text", "reproduce ", options.what,
            ": it is written as text, not as ", options.format);
  };
  if (options.what == "hard-grid") {
    refuse_format();
    HardGridOptions how{.seconds = options.seconds, .threads = options.threads, .go_on = go_on};
    if (options.gap) how.wanted_gap = *options.gap;
    deliver(hard_grid_text(hard_grid(how)), common);
    return interrupted() ? kShort : kDone;
  }
  require(!options.folder.empty(), "reproduce ", options.what,
          ": it needs the authors' models; name their folder with --data (docs/experiments.md says "
          "where they are)");
  if (options.what == "certified") {
    CertifiedOptimaOptions how{.folder = options.folder,
                               .seconds = options.seconds,
                               .threads = options.threads,
                               .go_on = go_on};
    if (options.gap) how.wanted_gap = *options.gap;
    const auto optima = certified_optima(how);
    require(options.format != "json", "reproduce certified: it is written as text or csv");
    deliver(options.format == "csv" ? certified_optima_csv(optima) : certified_optima_text(optima),
            common);
    return interrupted() ? kShort : kDone;
  }
  const bool released =
      options.stream.empty() ? options.format == "csv" : options.stream == "released";
  const Table1 table = reproduce_table1({.folder = options.folder,
                                         .only_published = options.only_published,
                                         .certify = options.certify,
                                         .released_stream = released,
                                         .threads = options.threads,
                                         .go_on = go_on});
  require(options.format != "json", "reproduce table1: it is written as text or csv");
  deliver(options.format == "csv" ? table1_csv(table) : table1_text(table), common);
  for (const auto& fault : table.faults) say("not reproduced: " + fault, common);
  return table.complete && table.faults.empty() ? kDone : kShort;
}

}  // namespace

void add_reproduce(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand(
      "reproduce",
      "the paper's Table 1 beside the printed numbers, and what is certified beyond it");
  command
      ->add_option("what", options->what,
                   "table1; certified: optima of all models; hard-grid: 100 x 100, five seeds")
      ->required()
      ->check(CLI::IsMember({"table1", "certified", "hard-grid"}));
  command->add_option("--data", options->folder, "folder of the authors' models as FLID text");
  command
      ->add_option("--seconds", options->seconds,
                   "at most, to certify one problem (certified, hard-grid)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--certify", options->certify,
                   "seconds a problem for the certified optimum column of table1")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--gap", options->gap, "relative gap at which a proof is content")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option(
          "--stream", options->stream,
          "PA orders of table1: as printed (the default for text) or as released (for csv)")
      ->check(CLI::IsMember({"printed", "released"}));
  command->add_flag("--published", options->only_published,
                    "of table1: only the algorithms of the paper");
  command->add_option("--format", options->format, "how the answer is written")
      ->check(CLI::IsMember({"text", "csv", "json"}))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "at most; the answer does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("-o,--output", options->output,
                      "write the answer to this file instead of stdout");
  command->add_flag("-q,--quiet", options->quiet, "say nothing on stderr but errors");
  command->footer(
      "Example:\n  surefield reproduce table1 --data flid --published --format csv -o table1.csv\n"
      "  surefield reproduce certified --data flid --seconds 60 --threads 2");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace surefield::cli
