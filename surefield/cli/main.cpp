// surefield <command> [options]: parsing stores and checks, the command then runs through the front
// door in api/.
#include <fmt/format.h>

#include <exception>
#include <new>

#include "surefield/cli/command.hpp"
#include "surefield/core/error.hpp"

int main(int argc, char** argv) {
  using namespace surefield::cli;
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
  try {
    remember_arguments(argc, argv);
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
    fmt::print(stderr, "surefield: out of memory\n");
    return kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "surefield: {}\n", error.what());
    return kBadInput;
  }
}
