#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "surefield/cli/progress_text.hpp"
#include "tests/cli/program.hpp"

namespace surefield::cli {
namespace {

TEST(ProgressText, ByHand) {
  // 0.41 of 30 columns is 12.3: 12 are filled; 2 s for 0.41 leave 2 * 0.59 / 0.41 = 2.88, said as
  // 3.
  EXPECT_EQ(progress_text("table1", 0.41, 2, 80),
            "table1 [############..................]  41 %, 3 s left");
  EXPECT_EQ(progress_text("fit", 0, 0, 80), "fit [..............................]   0 %");
  EXPECT_EQ(progress_text("fit", 1, 100, 80),
            "fit [##############################] 100 %, 0 s left");
}

TEST(ProgressText, SaysNoTimeBeforeItIsKnown) {
  EXPECT_EQ(progress_text("fit", 0.5, 0.9, 80), "fit [###############...............]  50 %");
  EXPECT_EQ(progress_text("fit", 0.005, 60, 80), "fit [..............................]   0 %");
}

TEST(ProgressText, NeverWiderThanThereIsRoom) {
  for (std::size_t width = 0; width < 100; ++width)
    for (const double fraction : {0.0, 0.3, 1.0})
      EXPECT_LE(progress_text("certified", fraction, 5000, width).size(), width);
  EXPECT_EQ(progress_text("fit", 0.5, 3, 24), " 50 %, 3 s left");  // no room for ten columns
  EXPECT_EQ(progress_text("fit", 0.5, 3, 5), "");
}

TEST(ProgressText, StandsAnyFraction) {
  EXPECT_EQ(progress_text("x", -1, 0, 40), progress_text("x", 0, 0, 40));
  EXPECT_EQ(progress_text("x", 7, 0, 40), progress_text("x", 1, 0, 40));
  EXPECT_EQ(progress_text("x", std::nan(""), 0, 40), progress_text("x", 0, 0, 40));
}

TEST(TimeText, RoundsUpInTheUnitsOfAPerson) {
  EXPECT_EQ(time_text(0), "0 s");
  EXPECT_EQ(time_text(6.2), "7 s");
  EXPECT_EQ(time_text(59.5), "1 min 0 s");
  EXPECT_EQ(time_text(200), "3 min 20 s");
  EXPECT_EQ(time_text(7500), "2 h 5 min");
}

/// All that the program writes to a terminal of 80 columns.
std::string on_a_terminal(const std::string& folder, std::vector<std::string> arguments) {
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    std::string program = SUREFIELD_PROGRAM;
    std::vector<char*> list{program.data()};
    for (auto& argument : arguments) list.push_back(argument.data());
    list.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execv(program.c_str(), list.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  return text;
}

TEST(Progress, IsDrawnOnATerminalAndClearedAndSilentElsewhere) {
  const testing::Program surefield;
  ASSERT_EQ(surefield("generate cut --items 60 -o model.json --quiet").exit_code, 0);
  const std::string command = "logz model.json --seconds 1 --width 1e-12 --condition 0";
  const testing::Outcome piped = surefield(command);
  EXPECT_TRUE(piped.err.starts_with("logz: the interval is ")) << piped.err;

  const std::vector<std::string> arguments{"logz",    "model.json", "--seconds",   "1",
                                           "--width", "1e-12",      "--condition", "0"};
  const std::string drawn = on_a_terminal(surefield.path("").string(), arguments);
  EXPECT_NE(drawn.find("\rlogz ["), std::string::npos) << drawn;
  const auto cleared = drawn.rfind("\r\x1b[K");
  ASSERT_NE(cleared, std::string::npos);
  EXPECT_GT(drawn.find("log Z from"), cleared) << "the answer follows the cleared line";

  auto quiet = arguments;
  quiet.push_back("--quiet");
  EXPECT_EQ(on_a_terminal(surefield.path("").string(), quiet).find("\x1b[K"), std::string::npos);
}

}  // namespace
}  // namespace surefield::cli
