#include "surefield/cli/command.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdio>

#include "surefield/core/error.hpp"
#include "surefield/io/write_file.hpp"

namespace surefield::cli {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

void on_interrupt(int) {
  asked_to_stop = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--format", options.format, "how the answer is written")
      ->check(CLI::IsMember({"text", "json", "csv"}))
      ->capture_default_str();
  command.add_option("-o,--output", options.output,
                     "write the answer to this file instead of stdout");
  command
      .add_option("--seed", options.seed, "of everything that is random; same seed, same answer")
      ->capture_default_str();
  command.add_option("--threads", options.threads, "at most; the answer does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_flag("-q,--quiet", options.quiet, "say nothing on stderr but errors");
}

void deliver(const std::string& text, const CommonOptions& options) {
  if (!options.output.empty()) {
    write_file(options.output, text);
    say(fmt::format("wrote {}", options.output), options);
    return;
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  require(written && std::fflush(stdout) == 0, "stdout: the answer could not be written");
}

void say(std::string_view text, const CommonOptions& options) {
  if (!options.quiet) fmt::print(stderr, "{}\n", text);
}

void catch_interrupt() { std::signal(SIGINT, on_interrupt); }
bool interrupted() { return asked_to_stop != 0; }

}  // namespace surefield::cli
