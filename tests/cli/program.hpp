// Runs the program as a user would, in a folder of its own, and keeps what it said.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

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

  /// The same, told to stop by Ctrl-C after so many seconds.
  Outcome interrupted_after(const std::string& seconds, const std::string& arguments) const {
    return run("timeout --preserve-status -s INT " + seconds + " '" + SUREFIELD_PROGRAM + "' " +
               arguments + " </dev/null");
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
  Outcome run(const std::string& command) const {
    const std::string line =
        "cd '" + folder_.string() + "' && { " + command + "; } >stdout.txt 2>stderr.txt";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("stdout.txt"), read("stderr.txt")};
  }

  std::filesystem::path folder_;
};

}  // namespace surefield::testing
