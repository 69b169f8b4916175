// surefield serve [FILES]: the studio in a browser, on this machine alone.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "surefield/cli/command.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/page_template.hpp"
#include "surefield/cli/studio_assets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/studio/gate.hpp"
#include "surefield/studio/server.hpp"
#include "surefield/studio/studio.hpp"

namespace surefield::cli {
namespace {

constexpr unsigned kUsualPort = 8421;

struct ServeRequest {
  std::vector<std::string> files;
  unsigned port = kUsualPort;
  unsigned threads = all_cores();
  std::string store, folder;
  bool open = false;
};

/// Files by their path in the folder that is served: the one given, else the one they are all in.
studio::StudioOptions studio_options(const ServeRequest& request) {
  namespace fs = std::filesystem;
  studio::StudioOptions options;
  options.store = request.store;
  options.threads = request.threads;
  options.assets = studio_assets();
  options.report_template = page_template();
  options.folder = request.folder.empty() ? "." : request.folder;
  require(fs::is_directory(options.folder), "--folder: ", options.folder, " is no folder");
  const fs::path folder = fs::canonical(options.folder);
  for (const std::string& file : request.files) {
    std::error_code error;
    const fs::path whole = fs::canonical(file, error);
    require(!error, file, ": there is no such file");
    options.files.push_back(whole.lexically_relative(folder).string());
    require(!options.files.back().starts_with(".."), file,
            ": it is outside the folder that is served, ", folder.string(),
            "; --folder names another");
  }
  return options;
}

/// In a session of its own, so that Ctrl-C here ends the studio alone, and without the sockets and
/// the database of this process, which a browser would hold open after it.
void open_browser(const std::string& address) {
  std::signal(SIGCHLD, SIG_IGN);  // nobody waits for it
  if (fork() != 0) return;
  setsid();
  close_range(STDERR_FILENO + 1, ~0U, 0);
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0) {
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
  }
  execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  constexpr std::string_view kNone = "serve: there is no xdg-open; open the address above\n";
  if (write(STDERR_FILENO, kNone.data(), kNone.size()) < 0) _exit(2);
  _exit(1);
}

int run_serve(const ServeRequest& request) {
  const studio::StudioOptions options = studio_options(request);
  studio::Server server(request.port);
  const std::string token = studio::fresh_token();
  const std::string address = fmt::format("http://127.0.0.1:{}/#token={}", server.port(), token);
  studio::Studio studio(options);
  fmt::print("{}\n", address);
  std::fflush(stdout);
  fmt::print(stderr,
             "The studio is open at this address, on this machine alone; Ctrl-C ends it.\n"
             "Runs are kept {}.\n",
             request.store.empty() ? "until then (--store FILE keeps them longer)"
                                   : "in " + request.store);
  if (request.open) open_browser(address);
  server.run(studio::Gate(server.port(), token),
             [&](studio::Request asked, const std::shared_ptr<studio::Exchange>& exchange) {
               studio.handle(std::move(asked), exchange);
             });
  return kDone;
}

}  // namespace

void add_serve(CLI::App& program, Action& action) {
  auto request = std::make_shared<ServeRequest>();
  auto* command = program.add_subcommand(
      "serve",
      "the studio: a page on this machine where models are watched, questioned and compared");
  command->add_option("files", request->files,
                      "models or sets to open at the start; more can be opened on the page");
  command->add_option("--port", request->port, "of 127.0.0.1; 0 is any that is free")
      ->check(takes(WholeRule{0, 65535}))
      ->capture_default_str();
  command->add_option("--store", request->store,
                      "SQLite file that keeps the runs and the files they are about");
  command->add_option("--folder", request->folder,
                      "what the page may open by name; by default the current one");
  command->add_option("--threads", request->threads, "questions at work at a time")
      ->check(takes(kThreads))
      ->capture_default_str();
  command->add_flag("--open", request->open, "open the page in a browser");
  command->footer(
      "Example:\n  surefield serve model.json registries.csv --store runs.sqlite --open");
  command->callback([request, &action] { action = [request] { return run_serve(*request); }; });
}

}  // namespace surefield::cli
