// surefield convert IN OUT: a model from one file format to another.
#include <fmt/format.h>

#include <memory>

#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/output_file.hpp"

namespace surefield::cli {
namespace {

struct ConvertRequest {
  ModelInput model;
  std::string to;
  CommonOptions common;
};

int run_convert(const ConvertRequest& options) {
  CommonOptions common = options.common;
  if (common.output == "-") common.output.clear();
  const ModelFormat& format = output_format(options.to, common.output);
  const ModelFile file = load_file(options.model, common);
  if (format.is_folder()) {
    write_model_folder(common.output, format, file, common);
    return kDone;
  }
  const std::string text = model_text(file, format);
  if (common.output.empty()) {
    deliver(text, common);
    say_if_labels_are_lost(format, file.items, common);
  } else {
    write_model_file(common.output, text, format, file.items, common);
    say(fmt::format("wrote {}", common.output), common);
  }
  return kDone;
}

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  auto options = std::make_shared<ConvertRequest>();
  auto* command = program.add_subcommand("convert", "a model from one file format to another");
  add_model_file(*command, options->model);
  command
      ->add_option("out", options->common.output,
                   "where to; the extension gives the format; - is stdout")
      ->required();
  command->add_option("--to", options->to, "format by name, see `surefield list`");
  command->add_flag("-q,--quiet", options->common.quiet, "say nothing on stderr but errors");
  command->footer(
      "Example:\n  surefield convert G1.txt g1.json --edges cut\n  surefield convert model.uai "
      "model.fg");
  command->callback([options, &action] { action = [options] { return run_convert(*options); }; });
}

}  // namespace surefield::cli
