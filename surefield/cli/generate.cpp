// surefield generate KIND: a seeded instance, as native JSON.
#include <fmt/format.h>

#include <memory>

#include "surefield/api/generate.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"

namespace surefield::cli {
namespace {

struct Options {
  std::string kind, output, to;
  GenerateOptions generate;
  bool quiet = false;
};

int run(const Options& options) {
  ModelFile file;
  file.model = generate(options.kind, options.generate);
  file.box = unit_box(size_of(file.model));
  CommonOptions common;
  common.output = options.output;
  common.quiet = options.quiet;
  deliver(model_text(file, output_format(options.to, options.output)), common);
  return kDone;
}

}  // namespace

void add_generate(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("generate", "a seeded instance of a model family");
  std::vector<std::string> names;
  std::string about = "KINDS\n";
  for (const auto& row : generator_table()) {
    names.emplace_back(row.name);
    about += fmt::format("  {:<22}{}\n", row.name, row.about);
  }
  command->add_option("kind", options->kind, "what to make")
      ->required()
      ->check(CLI::IsMember(names));
  command->add_option("-n,--items", options->generate.items, "how many items");
  command->add_option("-g,--groups", options->generate.groups,
                      "dimensions, customers, concepts, hyperedges or groups");
  command
      ->add_option("--density", options->generate.density,
                   "chance that an entry or an edge is there")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--seed", options->generate.seed, "same seed, same model")
      ->capture_default_str();
  command->add_option("-o,--output", options->output,
                      "write to this file instead of stdout; the extension gives the format");
  command->add_option("--to", options->to, "format by name, see `surefield list`; json without -o");
  command->add_flag("-q,--quiet", options->quiet, "say nothing on stderr but errors");
  command->footer(about +
                  "Example:\n  surefield generate hard-grid --items 400 --seed 3 -o grid.json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace surefield::cli
