// Exit codes as a script sees them: each command done, and short for one reason at a time.
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;

void expect(const Outcome& outcome, int code, const std::string& said) {
  EXPECT_EQ(outcome.exit_code, code) << outcome.err;
  EXPECT_TRUE(has(outcome.err, said)) << outcome.err;
}

TEST(CliExitCode, InferIsShortOfAGapATimeOrTheDefaultEpochs) {
  const Program surefield;
  surefield("generate flid --items 30 -g 8 -q -o flid.json");
  surefield("generate hard-grid --items 400 -q -o grid.json");
  expect(surefield("infer flid.json --certify 5 --gap 0.9"), 0, "");
  expect(surefield("infer grid.json --certify 0 --gap 0"), 1, "infer: the relative gap is ");
  expect(surefield("infer grid.json --seconds 0"), 1, "infer: interrupted\n");
  expect(surefield("infer grid.json --epochs 2"), 0, "");
}

TEST(CliExitCode, CtrlCIsShortAndStillAnswers) {
  const Program surefield;
  surefield("generate flid --items 120 -g 20 -q -o model.json");
  surefield("generate hard-grid --items 10000 -q -o grid.json");
  const Outcome certify =
      surefield.interrupted_after(1500, "infer grid.json --certify 100 --gap 1e-12");
  expect(certify, 1, "infer: interrupted\n");
  EXPECT_TRUE(has(certify.out, "upper bound")) << certify.out;
  const Outcome logz =
      surefield.interrupted_after(1000, "logz model.json --seconds 100 --width 1e-9");
  expect(logz, 1, "logz: interrupted\n");
}

TEST(CliExitCode, LogZIsShortOfAWidthOrOfMarginals) {
  const Program surefield;
  surefield("generate coverage --items 40 --seed 3 -q -o model.json");
  expect(surefield("logz model.json --condition 0 --width 1e6"), 0, "");
  expect(surefield("logz model.json --condition 0 --seconds 0 --width 1e-9"), 1,
         "logz: the interval is ");  // with both ends or, on a busy machine, without
}

TEST(CliExitCode, AgreeAndEvaluateAreShortOfAWidth) {
  const Program surefield;
  surefield("generate coverage --items 40 --seed 3 -q -o a.json");
  surefield("generate coverage --items 40 --seed 4 -q -o b.json");
  surefield.write("sets.csv", "1,2\n3\n4,5\n");
  expect(surefield("agree a.json b.json --width 1e6"), 0, "");
  expect(surefield("agree a.json b.json --seconds 0 --width 1e-9"), 1, "agree: the interval is ");
  expect(surefield("agree a.json b.json --pairs --seconds 0 --width 1e-9"), 1,
         "agree: the interval is ");
  expect(surefield("evaluate a.json sets.csv --width 1e6"), 0, "");
  expect(surefield("evaluate a.json sets.csv --seconds 0 --width 1e-9"), 1,
         "evaluate: the interval is ");
}

TEST(CliExitCode, FitOfAModelOfBothSignsIsShortOfAWidthOnlyIfItWasAskedFor) {
  const Program surefield;
  surefield.write("sets.csv", "1,2\n3\n1,3\n2\n2,3\n1\n");
  const std::string fit = "fit sets.csv --model pairwise --penalty 1 --folds 2 -o m{fold}.json";
  expect(surefield(fit), 0, "");
  expect(surefield(fit + " --width 1e-300"), 1, "fit: the interval is ");
}

TEST(CliExitCode, ReportIsShortOfAFileThatIsNoResult) {
  const Program surefield;
  surefield("generate flid --items 5 -q -o model.json");
  surefield("infer model.json --format json -q -o result.json");
  expect(surefield("report result.json"), 0, "");
  expect(surefield("report result.json model.json"), 1, "report: 1 of 2 files are not on the page");
}

TEST(CliExitCode, CommandsThatCannotFallShortAreDone) {
  const Program surefield;
  surefield("generate flid --items 5 -q -o model.json");
  surefield.write("sets.csv", "1,2\n3\n1,3\n2\n");
  for (const char* arguments :
       {"sample model.json -k 3", "recommend model.json", "convert model.json -", "list",
        "generate cut", "fit sets.csv --model modular", "select sets.csv -d 0 --folds 2"})
    expect(surefield(arguments), 0, "");
}

TEST(CliExitCode, BadInputIsTwoWhateverTheCommand) {
  const Program surefield;
  for (const char* command : {"infer", "logz", "sample", "best-set", "recommend", "agree none.json",
                              "fit", "select", "evaluate none.json", "report"})
    expect(surefield(std::string(command) + " none.json"), 2,
           "surefield: none.json: cannot be read");
  expect(surefield("convert none.json out.json"), 2, "surefield: none.json: cannot be read");
}

}  // namespace
}  // namespace surefield
