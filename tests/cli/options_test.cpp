// What the command line takes: numbers by one table of rules, commands by name, options only where
// they have an effect.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;

const std::vector<std::string> kCommands{"infer",  "logz",      "sample",    "evaluate", "fit",
                                         "select", "agree",     "recommend", "convert",  "generate",
                                         "list",   "reproduce", "report",    "best-set"};

/// The options of a command that take a number, from its help.
std::vector<std::string> number_options(const std::string& help) {
  std::vector<std::string> found;
  std::istringstream words(help);
  for (std::string before, word; words >> word; before = word) {
    const std::string name = before.substr(before.find_last_of(',') + 1);  // of -k,--count
    const bool number =
        word.starts_with("FLOAT") || word.starts_with("UINT") || word.starts_with("INT");
    if (name.starts_with("--") && number) found.push_back(name);
  }
  return found;
}

std::string refusal(const Program& surefield, const std::string& arguments) {
  const Outcome outcome = surefield(arguments);
  EXPECT_EQ(outcome.exit_code, 2) << arguments;
  EXPECT_EQ(outcome.out, "") << arguments;
  return outcome.err.substr(0, outcome.err.find('\n'));
}

TEST(CliNumbers, NoOptionOfAnyCommandTakesWhatIsNoNumber) {
  const Program surefield;
  std::size_t tried = 0;
  for (const auto& command : kCommands) {
    const std::string help = surefield(command + " --help").out;
    EXPECT_FALSE(has(help, "e+308")) << help;
    for (const auto& option : number_options(help)) {
      for (const char* text : {"nan", "inf", "-inf", "1m", "1e999", "0x10"}) {
        const std::string said = refusal(surefield, command + " " + option + "=" + text);
        EXPECT_TRUE(said.starts_with("surefield: " + option + ": '") && has(said, "' is not a "))
            << command << ' ' << option << ' ' << text << ": " << said;
        EXPECT_LT(said.size(), 100U) << said;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 6U * 50U) << "the options were found in the help";
}

TEST(CliNumbers, TheRefusalSaysWhatIsTaken) {
  const Program surefield;
  const auto said = [&](const std::string& arguments) { return refusal(surefield, arguments); };
  EXPECT_EQ(said("infer m --seconds 1m"),
            "surefield: --seconds: '1m' is not a number of seconds >= 0");
  EXPECT_EQ(said("logz m --seconds nan"),
            "surefield: --seconds: 'nan' is not a number of seconds >= 0");
  EXPECT_EQ(said("infer m --beta 0"), "surefield: --beta: '0' is not a number > 0");
  EXPECT_EQ(said("recommend m -k 0"), "surefield: --count: '0' is not a whole number >= 1");
  EXPECT_EQ(said("sample m -k -1"),
            "surefield: --count: '-1' is not a whole number from 0 to 100000000");
  EXPECT_EQ(said("infer m --seed -1"),
            "surefield: --seed: '-1' is not a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(said("infer m --seed 18446744073709551616"),
            "surefield: --seed: '18446744073709551616' is not a whole number from 0 to "
            "18446744073709551615");
  EXPECT_EQ(said("infer m --threads 0"),
            "surefield: --threads: '0' is not a whole number from 1 to 1024");
  EXPECT_EQ(said("infer m --top -1"), "surefield: --top: '-1' is not a whole number >= 0");
  EXPECT_EQ(said("infer m --epochs 1e3"), "surefield: --epochs: '1e3' is not a whole number >= 0");
  EXPECT_EQ(said("generate flid -n 99999999999999"),
            "surefield: --items: '99999999999999' is more than 1099511627776, the most that can be "
            "counted");
  EXPECT_EQ(said("fit s --aside 1"), "surefield: --aside: '1' is not a number >= 0 and < 1");
  EXPECT_EQ(said("fit s --empty 0"), "surefield: --empty: '0' is not a number > 0 and < 1");
  EXPECT_EQ(said("fit s --fold 0"), "surefield: --fold: '0' is not a whole number >= 1");
  EXPECT_EQ(said("generate flid --density 7"),
            "surefield: --density: '7' is not a number > 0 and <= 1");
  EXPECT_EQ(said("agree a b --beta 1,x"), "surefield: --beta: 'x' is not a number > 0");
}

TEST(CliNumbers, GoodNumbersAreTaken) {
  const Program surefield;
  surefield("generate flid --items 6 -q -o model.json");
  for (const char* arguments : {"--beta +0.5", "--beta 1e-3", "--seed 18446744073709551615",
                                "--seed 0", "--seconds 0.5", "--threads 1024", "--top 0"})
    EXPECT_EQ(surefield(std::string("infer model.json ") + arguments).exit_code, 0) << arguments;
  EXPECT_EQ(refusal(surefield, "sample model.json -k 010"),
            "surefield: --count: '010' is not a whole number from 0 to 100000000")
      << "neither ten nor an octal eight";
}

TEST(CliCommands, AnUnknownOneIsNamedWithTheNearest) {
  const Program surefield;
  EXPECT_EQ(surefield("fits").err, "surefield: 'fits' is not a command; did you mean 'fit'?\n");
  EXPECT_EQ(surefield("fits").exit_code, 2);
  EXPECT_EQ(surefield("frobnicate").err,
            "surefield: 'frobnicate' is not a command; --help lists them\n");
  EXPECT_EQ(surefield("help fits").err, surefield("fits").err);
}

TEST(CliCommands, HelpIsACommand) {
  const Program surefield;
  EXPECT_EQ(surefield("help").exit_code, 0);
  EXPECT_EQ(surefield("help").out, surefield("--help").out);
  for (const auto& command : kCommands) {
    const Outcome outcome = surefield("help " + command);
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_TRUE(has(outcome.out, "Example:")) << outcome.out;
  }
  EXPECT_EQ(surefield("help infer logz").exit_code, 2);
}

TEST(CliScope, AnOptionWithoutEffectIsRefusedWithWhatItIsFor) {
  const Program surefield;
  const auto said = [&](const std::string& arguments) { return refusal(surefield, arguments); };
  const auto infer = [&](const std::string& algorithm, const std::string& option) {
    return said("infer m -a " + algorithm + " " + option);
  };
  EXPECT_EQ(infer("best", "--rounds 3"),
            "surefield: --rounds: the algorithm is best, but this option is for continuous");
  EXPECT_EQ(infer("equalised", "--epsilon 0.1"),
            "surefield: --epsilon: the algorithm is equalised, but this option is for bscb and "
            "bscb-multiepoch");
  EXPECT_EQ(infer("best", "--hint-file h"),
            "surefield: --hint-file: the algorithm is best, but this option is for guarded");
  EXPECT_EQ(infer("dr-double-greedy", "--start high"),
            "surefield: --start: the algorithm is dr-double-greedy, but this option is for "
            "coordinate-ascent");
  EXPECT_EQ(infer("bscb", "--start-file s"),
            "surefield: --start-file: the algorithm is bscb, but this option is for best and "
            "coordinate-ascent");
  EXPECT_EQ(infer("best", "--multilinear-direction"),
            "surefield: --multilinear-direction: the algorithm is best, but this option is for "
            "shrunken-frank-wolfe");
  EXPECT_EQ(infer("equalised", "--tolerance 0.1"),
            "surefield: --tolerance: the algorithm is equalised, but this option is for best, "
            "coordinate-ascent, dg-mean-field-1/2, dg-mean-field-1/3, bscb-multiepoch and any with "
            "--polish");
  for (const char* option : {"--epochs 3", "--polish --start low"})
    EXPECT_TRUE(has(infer("guarded", option), ": the algorithm is guarded, but")) << option;
  for (const char* option : {"--order natural", "--order-file o", "--trace"})
    EXPECT_TRUE(has(infer("continuous", option), ": the algorithm is continuous, but")) << option;
  EXPECT_TRUE(has(infer("best", "--polish"), "--polish: the algorithm is best, but"));
  EXPECT_TRUE(has(infer("best", "--contract"), "--contract: the algorithm is best, but"));
  EXPECT_EQ(infer("best", "--gap 0.1"), "surefield: --gap: it has no effect without --certify");
  EXPECT_EQ(said("logz m --top 3"), "surefield: --top: it has no effect without --marginals");
  EXPECT_EQ(said("fit s --model modular --dims 3"),
            "surefield: --dims: the method is modular by frequencies, but this option is for flid "
            "by nce, flid by likelihood, flid by samples, fldc by nce, fldc by likelihood, fldc by "
            "samples, dpp by likelihood and auto by folds");
  EXPECT_EQ(said("fit s --noise 3 --method likelihood"),
            "surefield: --noise: the method is flid by likelihood, but this option is for flid by "
            "nce, fldc by nce and pairwise by nce");
  EXPECT_EQ(said("fit s --log-z exact"),
            "surefield: --log-z: the method is flid by nce, but this option is for flid by "
            "likelihood and fldc by likelihood");
  EXPECT_EQ(
      said("fit s --model flid --smoothing 2"),
      "surefield: --smoothing: the method is flid by nce, but this option is for modular by "
      "frequencies, pairwise by pseudo-likelihood, pairwise by nce, thin by composite, thin by "
      "likelihood, dpp by likelihood and auto by folds");
  EXPECT_EQ(said("fit s --width 2"), "surefield: --width: it has no effect without --folds");
  EXPECT_EQ(said("reproduce synthetic --published"),
            "surefield: --published: the experiment is synthetic, but this option is for table1 "
            "and all");
  EXPECT_EQ(said("agree a b c --top 3"),
            "surefield: --top: the answer is a table of pairs, but this option is for the "
            "distribution of two models");
  for (const char* pairs : {"agree a b --pairs --top 3", "agree a b --beta 1,2 --top 3"})
    EXPECT_TRUE(has(said(pairs), "--top: the answer is a table of pairs")) << pairs;
  EXPECT_EQ(said("select s --families flid,modular --width 0.1"),
            "surefield: --width: the choice is families with flid or fldc, but this option is for "
            "dimensions");
  EXPECT_TRUE(has(said("select s --families flid --seconds 1"), "--seconds: the choice is"));
  EXPECT_EQ(said("select s --families modular,pairwise --starts 2"),
            "surefield: --starts: the choice is families without flid and fldc, but this option is "
            "for dimensions and families with flid or fldc");
  EXPECT_TRUE(has(said("select s --families modular --epochs 2"), "--epochs: the choice is"));
  for (const char* option :
       {"--names n", "--first-id 0", "--skip-unknown", "--separator comma", "--header",
        "--no-header", "--form lines", "--long 1,2", "--encoding latin1", "--blank empty"}) {
    const std::string name = std::string(option).substr(0, std::string(option).find(' '));
    EXPECT_EQ(said(std::string("recommend m --have 1 ") + option),
              "surefield: " + name + ": it has no effect without --baskets");
  }
  EXPECT_EQ(said("fit s --skip-unknown --model modular"),
            "surefield: --skip-unknown: it has no effect without --names or ids, as every label is "
            "an item");
  EXPECT_EQ(said("select s --skip-unknown"),
            "surefield: --skip-unknown: it has no effect without --names or ids, as every label is "
            "an item");
  EXPECT_EQ(said("generate flid --truth t"),
            "surefield: --truth: the kind is flid, but this option is for registries");
}

TEST(CliScope, NamesSayHowTheItemsCountSoFirstIdIsRefused) {
  const Program surefield;
  surefield("generate flid --items 3 -q -o model.json");
  surefield.write("sets.csv", "1,2\n3\n");
  surefield.write("names.txt", "1 a\n2 b\n3 c\n");
  for (const char* command :
       {"evaluate model.json sets.csv", "recommend model.json --baskets sets.csv"})
    EXPECT_EQ(
        refusal(surefield, std::string(command) + " --names names.txt --first-id 1"),
        "surefield: --first-id: it has no effect beside --names, which says how its items count");
}

TEST(CliScope, WhatAnOptionIsForTakesIt) {
  const Program surefield;
  surefield("generate flid --items 6 -q -o model.json");
  for (const char* arguments :
       {"-a continuous --rounds 3", "-a bscb --epsilon 0.1", "-a bscb-multiepoch --epsilon 0.1",
        "-a coordinate-ascent --start high", "-a shrunken-frank-wolfe --multilinear-direction",
        "-a guarded --polish --epochs 300 --tolerance 1e-6", "-a continuous --polish --trace",
        "-a two-phase-frank-wolfe --epochs 3", "-a equalised --order shuffled --contract",
        "-a best --order natural --epochs 500", "--certify 1 --gap 0.5"}) {
    const Outcome outcome = surefield(std::string("infer model.json ") + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
  }
  surefield("generate registries --items 6 --dims 1 --sets 40 -q -o sets.csv");
  surefield.write("ids.csv", "0,1\n2\n1,2\n");
  for (const char* arguments :
       {"agree model.json model.json --top 3",
        "select sets.csv --families flid --starts 1 --epochs 2 --folds 2",
        "select sets.csv --families modular,fldc --starts 1 --epochs 2 --folds 2",
        "fit ids.csv --model modular --items ids --first-id 0 --skip-unknown -o m.json",
        "select sets.csv --dims 0 --folds 2 --width 1 --seconds 1 --starts 1 --epochs 2"}) {
    const Outcome outcome = surefield(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
  }
}

}  // namespace
}  // namespace surefield
