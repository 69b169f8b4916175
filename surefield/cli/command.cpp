#include "surefield/cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <thread>
#include <vector>

#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/write_file.hpp"
#include "surefield/report/json_envelope.hpp"

namespace surefield::cli {
namespace {

// Written by a signal handler, read by worker threads: only an atomic without a lock is both.
std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int signal) {
  asked_to_stop.store(true);
  std::signal(signal, SIG_DFL);
}

std::vector<std::string> typed;

/// The arguments that make the answer: without those that only say where it goes and how fast.
std::vector<std::string> arguments_of_the_answer(const CommonOptions& options) {
  const bool to_file = !options.output.empty();  // else -o, where there is one, names another file
  std::vector<std::string> kept;
  for (std::size_t k = 0; k < typed.size(); ++k) {
    const std::string_view argument = typed[k];
    const bool output = argument == "--output" || argument == "-o";
    if (argument == "-q" || argument == "--quiet") continue;
    if (argument.starts_with("--threads=") || (to_file && argument.starts_with("--output=")))
      continue;
    if (argument == "--threads" || (to_file && output))
      ++k;
    else if (!to_file || !argument.starts_with("-o"))
      kept.emplace_back(argument);
  }
  return kept;
}

}  // namespace

void remember_arguments(int argc, const char* const* argv) {
  typed.assign(argv + std::min(argc, 1), argv + argc);
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--format", options.format, "how the answer is written")
      ->check(CLI::IsMember({"text", "json", "csv"}))
      ->capture_default_str();
  command
      .add_option("-o,--output", options.output,
                  "write the answer to this file instead of stdout, -")
      ->transform([](const std::string& path) { return path == "-" ? std::string() : path; }, "");
  command
      .add_option("--seed", options.seed, "of everything that is random; same seed, same answer")
      ->check(takes(kAnySeed))
      ->capture_default_str();
  command
      .add_option("--threads", options.threads,
                  "at most, by default as many as cores; the answer does not depend on it")
      ->check(takes(kThreads));
  command.add_flag("-q,--quiet", options.quiet, "say nothing on stderr but errors");
}

void deliver(const std::string& answer, const CommonOptions& options) {
  if (!answers()) return;
  const std::string text = options.format == "json" && !typed.empty()
                               ? with_arguments(answer, arguments_of_the_answer(options))
                               : answer;
  if (!options.output.empty()) {
    write_file(options.output, text);
    say(fmt::format("wrote {}", options.output), options);
    return;
  }
  deliver_part(text);
}

void deliver_part(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  require(written && std::fflush(stdout) == 0, "stdout: the answer could not be written");
}

void say(std::string_view text, const CommonOptions& options) {
  if (!options.quiet) fmt::print(stderr, "{}\n", text);
}

void say_alone(std::string_view what, std::string_view why, const CommonOptions& options) {
  if (crew() != nullptr && crew()->size() > 1)
    say(fmt::format("{}: the first rank alone is at work: {}", what, why), options);
}

int finish(std::string_view command, const Ending& ending, const CommonOptions& options) {
  for (const auto& reason : shortfalls(ending))
    say(fmt::format("{}: {}", command, reason), options);
  return exit_code(ending);
}

void catch_interrupt() {
  std::signal(SIGINT, on_interrupt);
  if (crew() != nullptr) std::signal(SIGTERM, on_interrupt);  // how mpirun passes Ctrl-C on
}
const std::atomic<bool>& stop_flag() { return asked_to_stop; }
bool interrupted() { return stop_flag().load(); }

Crew*& crew() {
  static Crew* ours = nullptr;
  return ours;
}
std::function<void()>& when_out_of_memory() {
  static std::function<void()> ours;
  return ours;
}
void ask_to_stop() { asked_to_stop.store(true); }
bool answers() { return crew() == nullptr || crew()->answers(); }

unsigned all_cores() { return std::max(1U, std::thread::hardware_concurrency()); }

Budget budget_of(const CommonOptions& options) {
  return Budget()
      .with_threads(options.threads > 0 ? options.threads : all_cores())
      .stopped_by(stop_flag());
}

}  // namespace surefield::cli
