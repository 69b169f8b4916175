#include "surefield/cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "surefield/cli/command.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/nearest_names.hpp"

namespace {

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const auto* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

void require_command(const std::string& name, const CLI::App& program) {
  const auto names = command_names(program);
  const bool known = std::ranges::find(names, name) != names.end();
  if (known) return;
  const std::string near = surefield::did_you_mean(name, names);
  surefield::fail("'", name, "' is not a command", near.empty() ? "; --help lists them" : near);
}

/// `help` as a command: what --help says of the program, or of the command named after it.
int help(const CLI::App& program, const std::vector<std::string>& words) {
  surefield::require(words.size() <= 2, "help: it takes at most one command, not ",
                     words.size() - 1);
  if (words.size() == 2) require_command(words[1], program);
  const auto* shown = words.size() == 2 ? program.get_subcommand(words[1]) : &program;
  fmt::print("{}", shown->help());
  return surefield::cli::kDone;
}

}  // namespace

namespace surefield::cli {

int run_program(int argc, char** argv) {
  CLI::App program(
      "Surefield: mean field inference over subsets that says how good its answer is.\n"
      "Models p(S) ~ exp(F(S)) with F submodular; every answer carries a bound on how much better "
      "any other can be.",
      "surefield");
  program.set_version_flag("--version", SUREFIELD_VERSION);
  program.require_subcommand(1);
  program.footer(
      "Example:\n  surefield generate flid --items 20 -o model.json && surefield infer model.json\n"
      "Exit codes: 0 done, 1 ran but short of what was asked, 2 bad input.");
  Action action;
  add_infer(program, action);
  add_logz(program, action);
  add_sample(program, action);
  add_best_set(program, action);
  add_evaluate(program, action);
  add_fit(program, action);
  add_select(program, action);
  add_agree(program, action);
  add_recommend(program, action);
  add_convert(program, action);
  add_generate(program, action);
  add_list(program, action);
  add_reproduce(program, action);
  add_report(program, action);
  add_serve(program, action);
  try {
    remember_arguments(argc, argv);
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words[0] == "help") return help(program, words);
    if (!words.empty() && !words[0].starts_with('-')) require_command(words[0], program);
    program.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    fmt::print(stderr, "surefield: {}\n", error.what());
    fmt::print(stderr, "surefield: --help lists the commands, <command> --help their options\n");
    return kBadInput;
  } catch (const surefield::Error& error) {
    fmt::print(stderr, "surefield: {}\n", error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    if (when_out_of_memory() != nullptr) when_out_of_memory()();
    fmt::print(stderr, "surefield: out of memory\n");
    return kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "surefield: {}\n", error.what());
    return kBadInput;
  }
}

}  // namespace surefield::cli
