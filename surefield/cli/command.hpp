// What the subcommands share: the options every one of them has, and how their answer leaves the
// program.
//
// Data goes to stdout or to a file, talk to stderr. Exit codes: 0 done, 1 ran but short of what was
// asked, 2 bad input.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "surefield/core/budget.hpp"
#include "surefield/report/ending.hpp"

namespace surefield::cli {

constexpr int kDone = 0;
constexpr int kShort = 1;
constexpr int kBadInput = 2;

/// What the chosen subcommand does once all options are parsed; returns the exit code.
using Action = std::function<int()>;

struct CommonOptions {
  std::string format = "text";
  std::string output;  ///< a path, or empty for stdout
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all cores
  bool quiet = false;
};

/// --format, --output, --seed, --threads, --quiet.
void add_common_options(CLI::App& command, CommonOptions& options);

/// Keeps what was typed, so that JSON answers can say how to get them again.
void remember_arguments(int argc, const char* const* argv);

/// Writes the answer to stdout or, beside it and then renamed, to the file asked for.
/// A JSON object gets one field more, "arguments": what was typed but for --threads and --quiet, on
/// which no answer depends, and for the file it goes to.
void deliver(const std::string& text, const CommonOptions& options);

/// A part of an answer that goes to stdout piece by piece.
void deliver_part(std::string_view text);

/// One line on stderr, unless quiet.
void say(std::string_view text, const CommonOptions& options);
/// Where several processes run the command and one of them does the work: says so, and why.
void say_alone(std::string_view what, std::string_view why, const CommonOptions& options);

/// Says why the answer is short of what was asked, a line a reason after the command's name, and
/// returns the exit code.
int finish(std::string_view command, const Ending& ending, const CommonOptions& options);

/// Makes Ctrl-C ask for an early, clean end instead of killing the program; a second one kills.
void catch_interrupt();
/// Set by Ctrl-C once it is caught; safe to read from any thread.
const std::atomic<bool>& stop_flag();
bool interrupted();

/// Of this machine.
unsigned all_cores();
/// The threads asked for, else all cores, ended by Ctrl-C.
Budget budget_of(const CommonOptions& options);

void add_infer(CLI::App& program, Action& action);
void add_convert(CLI::App& program, Action& action);
void add_generate(CLI::App& program, Action& action);
void add_list(CLI::App& program, Action& action);
void add_logz(CLI::App& program, Action& action);
void add_sample(CLI::App& program, Action& action);
void add_best_set(CLI::App& program, Action& action);
void add_fit(CLI::App& program, Action& action);
void add_select(CLI::App& program, Action& action);
void add_agree(CLI::App& program, Action& action);
void add_recommend(CLI::App& program, Action& action);
void add_reproduce(CLI::App& program, Action& action);
void add_evaluate(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_serve(CLI::App& program, Action& action);

}  // namespace surefield::cli
