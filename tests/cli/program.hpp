// Runs the program as a user would, in a folder of its own, and keeps what it said.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

namespace surefield::testing {

struct Outcome {
  int exit_code;
  std::string out, err;
};

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

class Program {
 public:
  Program() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "surefield-cli-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Program() { std::filesystem::remove_all(folder_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// `arguments` as typed in a shell, files relative to the program's folder.
  Outcome operator()(const std::string& arguments) const {
    std::string command("'");
    command.append(SUREFIELD_PROGRAM).append("' ").append(arguments).append(" </dev/null");
    return run(command);
  }

  /// The same with what the file holds coming down a pipe, which can be read once.
  Outcome with_input(const std::string& arguments, const std::string& file) const {
    std::string command("cat '");
    command.append(file).append("' | '").append(SUREFIELD_PROGRAM).append("' ").append(arguments);
    return run(command);
  }

  /// The same, told to stop by Ctrl-C so many milliseconds after it listens. One signal to the
  /// program alone, unlike timeout(1), which signals its group too: a second one would end it.
  Outcome interrupted_after(int milliseconds, const std::string& arguments) const {
    const std::string line = "exec '" SUREFIELD_PROGRAM "' " + arguments + " </dev/null";
    const std::string command = redirected(line);
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    while (!listens(child) && waitpid(child, &status, WNOHANG) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    if (kill(child, SIGINT) == 0) waitpid(child, &status, 0);
    return outcome(status);
  }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  std::string redirected(const std::string& command) const {
    return "cd '" + folder_.string() + "' && { " + command + "; } >stdout.txt 2>stderr.txt";
  }
  Outcome outcome(int status) const {
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("stdout.txt"), read("stderr.txt")};
  }
  Outcome run(const std::string& command) const {
    return outcome(std::system(redirected(command).c_str()));
  }

  /// Whether a process has a handler of its own for Ctrl-C.
  static bool listens(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigCgt:"))
        return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
    return false;
  }

  std::filesystem::path folder_;
};

}  // namespace surefield::testing
