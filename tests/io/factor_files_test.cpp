// UAI and libDAI files: models, evidence and results.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "surefield/io/fg_file.hpp"
#include "surefield/io/field_factors.hpp"
#include "surefield/io/uai_model.hpp"
#include "surefield/io/uai_results.hpp"
#include "tests/support/random_factor_graph.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

constexpr std::string_view kUai =
    "MARKOV\nc a comment\n3\n2 2 2\n3\n1 0\n2 0 2\r\n0\n 2 0.5 0.25\n4 1 2 3 4\n1 8";

void expect_near(const FactorGraph& a, const FactorGraph& b) {
  ASSERT_EQ(a.variables, b.variables);
  ASSERT_EQ(a.factors.size(), b.factors.size());
  for (Index f = 0; f < a.factors.size(); ++f) {
    EXPECT_EQ(a.factors[f].variables, b.factors[f].variables) << f;
    ASSERT_EQ(a.factors[f].log_table.size(), b.factors[f].log_table.size()) << f;
    for (Index e = 0; e < a.factors[f].log_table.size(); ++e) {
      const double x = a.factors[f].log_table[e];
      const double y = b.factors[f].log_table[e];
      EXPECT_TRUE(x == y || std::abs(x - y) < 1e-14 * (1 + std::abs(x)))
          << f << " " << e << ": " << x << " " << y;
    }
  }
}

TEST(UaiModel, ByHandTheLastVariableVariesFastest) {
  const FactorGraph graph = parse_uai(kUai, "f");
  EXPECT_EQ(graph.variables, 3U);
  ASSERT_EQ(graph.factors.size(), 3U);
  EXPECT_EQ(graph.factors[0], (Factor{{0}, {std::log(0.5), std::log(0.25)}}));
  EXPECT_EQ(graph.factors[1],
            (Factor{{0, 2}, {std::log(1), std::log(2), std::log(3), std::log(4)}}));
  EXPECT_EQ(graph.factors[2], (Factor{{}, {std::log(8)}}));
  // x0 = 0, x2 = 1: 0.5 * 2 * 8
  EXPECT_DOUBLE_EQ(evaluate(graph, std::vector<std::uint8_t>{0, 0, 1}), std::log(8));
  EXPECT_EQ(parse_uai("BAYES 1 2 1 1 0 2 0 1", "f").factors[0].log_table,
            (std::vector<double>{-kInfinity, 0}));
  EXPECT_EQ(parse_uai("MARKOV 0 0", "f"), FactorGraph{});
}

TEST(FgFile, ByHandTheFirstVariableVariesFastest) {
  const FactorGraph graph = parse_fg("# x\n1\n\n2\n0 3\n2 2\n3\n0 0.5\n1 2.5\n3 1", "f");
  EXPECT_EQ(graph.variables, 4U);
  // entry 1 of the file is x0 = 1, x3 = 0: entry 2 with the last variable fastest; entry 2 of the
  // file is missing: zero
  EXPECT_EQ(graph.factors[0], (Factor{{0, 3}, {std::log(0.5), -kInfinity, std::log(2.5), 0}}));
}

TEST(FactorFiles, WriteWhatTheyRead) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const FactorGraph graph = testing::random_factor_graph(seed % 6, 4, seed % 2 ? 0.2 : 0, seed);
    expect_near(parse_uai(uai_text(graph), "f"), graph);
    const FactorGraph again = parse_fg(fg_text(graph), "f");
    ASSERT_EQ(again.variables, graph.variables);
    for (std::uint64_t code = 0; code < 1U << graph.variables;
         ++code) {  // .fg may add a factor that does nothing
      const auto chosen = reference::subset(code, graph.variables);
      const double value = evaluate(graph, chosen);
      EXPECT_TRUE(value == evaluate(again, chosen) ||
                  std::abs(value - evaluate(again, chosen)) < 1e-12);
    }
  }
}

TEST(FactorFiles, HugeLogsAreWrittenAsSeveralFactors) {
  const FactorGraph graph{1, {{{0}, {-1500, 900}}, {{}, {3000}}}};
  for (const FactorGraph& again :
       {parse_uai(uai_text(graph), "f"), parse_fg(fg_text(graph), "f")}) {
    EXPECT_EQ(again.factors.size(), 8U);  // ceil(1500 / 700) + ceil(3000 / 700)
    EXPECT_NEAR(evaluate(again, std::vector<std::uint8_t>{0}), 1500, 1e-10);
    EXPECT_NEAR(evaluate(again, std::vector<std::uint8_t>{1}), 3900, 1e-10);
  }
  EXPECT_EQ(testing::refusal([] {
              uai_text({1, {{{0}, {0, 1e6}}}});
            }),
            "factor graph: factor 0 has a log of size 1e+06, too great for a file of plain "
            "numbers; write the model as JSON");
}

TEST(FactorFiles, AFieldKeepsItsValues) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const PairwiseField field = testing::random_pairwise(seed % 7, 0.5, seed);
    const FactorGraph graph = parse_uai(uai_text(factor_graph_of(field)), "f");
    const auto back = field_of(graph);
    const auto& again = std::get<PairwiseField>(back.model);
    EXPECT_EQ(back.box, unit_box(field.size()));
    for (std::uint64_t code = 0; code < 1U << field.size(); ++code) {
      const auto chosen = reference::subset(code, field.size());
      EXPECT_NEAR(again.evaluate(chosen), field.evaluate(chosen), 1e-11) << seed;
    }
  }
  const GibbsField gibbs =
      make_gibbs_field({1, -2, 0}, std::vector<Monomial>{{{0, 1, 2}, -3}, {{0, 2}, 0.5}}, 4);
  const auto back = field_of(factor_graph_of(gibbs));
  EXPECT_EQ(std::get<GibbsField>(back.model).terms(), gibbs.terms());
  EXPECT_EQ(std::get<GibbsField>(back.model).bias, gibbs.bias);
  EXPECT_EQ(std::get<GibbsField>(back.model).constant, 4);
}

TEST(UaiModel, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_uai(text, "m.uai"); });
  };
  EXPECT_EQ(refusal(""), "m.uai:1: the file ends, expected MARKOV or BAYES");
  EXPECT_EQ(refusal("ID\n"), "m.uai:1: found 'ID', expected MARKOV or BAYES");
  EXPECT_EQ(refusal("MARKOV\n2\n2 3\n0"),
            "m.uai:3: variable 1 has 3 states, expected 2: only binary variables are sets");
  EXPECT_EQ(refusal("MARKOV\n1\n2\n1\n1 1\n2 1 1"),
            "m.uai:5: found '1', expected a variable from 0 to 0");
  EXPECT_EQ(refusal("MARKOV\n1\n2\n1\n1 -1\n2 1 1"),
            "m.uai:5: found '-1', expected a variable from 0 to 0");
  EXPECT_EQ(refusal("MARKOV\n2\n2 2\n1\n2 1 1\n4 1 1 1 1"),
            "m.uai:5: variable 1 is twice in factor 0");
  EXPECT_EQ(refusal("MARKOV\n1\n2\n1\n1 0\n3 1 1 1"),
            "m.uai:6: factor 0 has a table of 3 entries, expected 2 for 1 variables of 2 states");
  EXPECT_EQ(refusal("MARKOV\n1\n2\n1\n1 0\n2 1 -1"),
            "m.uai:6: found '-1', expected a table entry >= 0");
  EXPECT_EQ(refusal("MARKOV\n1\n2\n1\n1 0\n2 1 inf"),
            "m.uai:6: found 'inf', expected a finite number (a table entry)");
  EXPECT_EQ(refusal("MARKOV\n1\n2\n1\n1 0\n2 1 1 5"),
            "m.uai:6: found '5', expected the end of the file after 1 tables");
  EXPECT_EQ(refusal("MARKOV\n0\n1\n1 0\n2 1 1"),
            "m.uai:4: found variable '0', but there are no variables");
  EXPECT_EQ(refusal("MARKOV\n1000000000\n2\n"),
            "m.uai:2: found '1000000000', but the rest of the file can hold at most 2 variables");
  std::string wide = "MARKOV\n30\n";
  for (int i = 0; i < 30; ++i) wide += "2 ";
  wide += "\n1\n30 ";
  for (int i = 0; i < 30; ++i) wide += std::to_string(i) + " ";
  EXPECT_EQ(refusal(wide + "\n1073741824 1 1 1"),
            "m.uai:5: factor 0 has 30 variables, expected at most 26");
}

TEST(FgFile, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_fg(text, "m.fg"); });
  };
  EXPECT_EQ(refusal("1\n\n1\n4\n3\n1\n0 1\n"),
            "m.fg:5: variable 4 has 3 states, expected 2: only binary variables are sets");
  EXPECT_EQ(refusal("1\n\n1\n4\n2\n1\n2 1\n"), "m.fg:7: found '2', expected an entry from 0 to 1");
  EXPECT_EQ(refusal("1\n\n1\n4\n2\n2\n1 1\n1 1\n"),
            "m.fg:8: entry 1 is there twice, expected each once");
  EXPECT_EQ(refusal("1\n\n1\n4\n2\n1\n1 -1\n"), "m.fg:7: found '-1', expected a table entry >= 0");
  EXPECT_EQ(refusal("1\n\n2\n4 4\n2 2\n1\n1 1\n"), "m.fg:4: variable 4 is twice in factor 0");
  EXPECT_EQ(refusal("1\n\n1\n4000000000\n2\n1\n1 1\n"),
            "m.fg:4: found '4000000000', expected a variable from 0 to 1048599");
  EXPECT_EQ(
      refusal("2\n\n1\n4\n2\n1\n1 1\n"),
      "m.fg:8: the file ends, expected a number of variables of a factor, a whole number from 0");
  std::string wide = "1\n\n24\n";
  for (int i = 0; i < 24; ++i) wide += std::to_string(i) + " ";
  wide += "\n";
  for (int i = 0; i < 24; ++i) wide += "2 ";
  EXPECT_EQ(refusal(wide + "\n0\n"),
            "m.fg:5: the tables up to factor 0 have more entries than a file of this size may");
}

TEST(UaiEvidence, ReadsEveryFormInUse) {
  const auto read = [](std::string_view text, Index chosen = 0) {
    return uai_evidence_text(parse_uai_evidence(text, "f", 5, chosen));
  };
  EXPECT_EQ(read(""), "0\n");
  EXPECT_EQ(read("0"), "0\n");
  EXPECT_EQ(read("2 3 1 0 0\n"), "2 0 0 3 1\n");
  EXPECT_EQ(read("1\n2 3 1 0 0\n"), "2 0 0 3 1\n");
  EXPECT_EQ(read("1\n0\n"), "0\n");
  EXPECT_EQ(read("1 3 1"), "1 3 1\n");
  EXPECT_EQ(read("2\n3 1\n0 0\n"), "2 0 0 3 1\n") << "only the one reading fits";
  EXPECT_EQ(read("2\n1 1 1\n0\n"), "1 1 1\n") << "two cases: the first line is a number alone";
  EXPECT_EQ(read("2\n1 1 1\n1 2 0\n", 1), "1 2 0\n");
}

TEST(UaiEvidence, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text, Index chosen = 0) {
    return testing::refusal([&] { parse_uai_evidence(text, "m.evid", 5, chosen); });
  };
  EXPECT_EQ(refusal("1 5 1"), "m.evid:1: found '5', expected a variable from 0 to 4");
  EXPECT_EQ(refusal("1 2 2"), "m.evid:1: found '2', expected a value from 0 to 1");
  EXPECT_EQ(refusal("1 -2 1"),
            "m.evid:1: found '-2', expected a count, a variable or a value from 0 to 4294967295");
  EXPECT_EQ(refusal("2 2 1 2 0"), "m.evid:1: variable 2 is observed as 0 and as 1");
  EXPECT_EQ(refusal("2 1 0 3 "), "m.evid:1: the file ends, expected a value from 0 to 1");
  EXPECT_EQ(refusal("0 3 1"),
            "m.evid:1: found '3', expected the end of the file after the observed variables");
  EXPECT_EQ(refusal("1 3 1", 1),
            "m.evid: case 1 is asked for, but there are 1 cases, counted from 0");
  EXPECT_EQ(testing::refusal([] {
              uai_evidence_text({{0.5}, {1}});
            }),
            "evidence: variable 0 has the interval [0.5, 1], which must be [0, 1], 0 or 1");
}

TEST(UaiResults, ByHand) {
  EXPECT_DOUBLE_EQ(parse_uai_log_z("PR\n2\n", "f"), 2 * std::numbers::ln10);
  EXPECT_NEAR(parse_uai_log_z(uai_log_z_text(-8.5), "f"), -8.5, 1e-14);
  EXPECT_EQ(parse_uai_marginals("MAR\n2 2 0.25 0.75 2 1 0", "f"), (std::vector<double>{0.75, 0}));
  const std::vector<double> marginals{0.1, 1, 0, 1e-300};
  EXPECT_EQ(parse_uai_marginals(uai_marginals_text(marginals), "f"), marginals);
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_uai_marginals(text, "m.MAR"); });
  };
  EXPECT_EQ(refusal("MAR 1 3 0.2 0.3 0.5"), "m.MAR:1: variable 0 has 3 states, expected 2");
  EXPECT_EQ(refusal("MAR 1 2 0.2 0.3"),
            "m.MAR:1: variable 0 has the probabilities 0.2 and 0.3, expected two numbers >= 0 that "
            "add up to 1");
  EXPECT_EQ(refusal("PR 1"), "m.MAR:1: found 'PR', expected MAR");
  EXPECT_EQ(testing::refusal([] { parse_uai_log_z("PR\ninf", "m.PR"); }),
            "m.PR:2: found 'inf', expected a finite number (log10 Z)");
}

TEST(UaiData, ReadsTheCompetitionFiles) {
  SUREFIELD_NEEDS_DATA("uai");
  const auto files = testing::shared_files("uai", ".uai");
  EXPECT_EQ(files.size(), 8U);
  for (const auto& file : files) {
    const FactorGraph graph = read_uai(file.string());
    require_valid(graph);
    const Box evidence = read_uai_evidence(file.string() + ".evid", graph.variables);
    const auto marginals = read_uai_marginals(file.string() + ".MAR");
    ASSERT_EQ(marginals.size(), graph.variables);
    for (Index i = 0; i < graph.variables; ++i)
      if (evidence[i].is_point()) {
        EXPECT_NEAR(marginals[i], evidence.low[i], 1e-6) << file << " " << i;
      }
    EXPECT_TRUE(std::isfinite(read_uai_log_z(file.string() + ".PR")));
    expect_near(parse_uai(uai_text(graph), "f"), graph);
  }
  const FactorGraph grid = read_uai(testing::shared_data("uai/Grids_11.uai").string());
  EXPECT_EQ(grid.variables, 100U);
  EXPECT_EQ(grid.factors.size(), 300U);  // 100 unary, 2 * 10 * 10 wrapped around
}

TEST(FgData, ReadsTheFilesOfLibDai) {
  SUREFIELD_NEEDS_DATA("fg");
  for (const auto& file : testing::shared_files("fg", ".fg")) {
    if (file.filename() == "alarm.fg") {
      EXPECT_EQ(testing::refusal([&] { read_fg(file.string()); }),
                file.string() +
                    ":16: variable 1 has 3 states, expected 2: only binary variables are sets");
      continue;
    }
    const FactorGraph graph = read_fg(file.string());
    require_valid(graph);
    expect_near(parse_fg(fg_text(graph), "f"), graph);
    if (file.filename() != "testfast.fg") continue;
    EXPECT_EQ(graph.variables, 16U);
    std::vector<double> values;
    for (std::uint64_t code = 0; code < 1U << 16; ++code)
      values.push_back(evaluate(graph, reference::subset(code, 16)));
    EXPECT_NEAR(reference::log_z(values), 14.3282333, 1e-6);  // testfast.out
  }
}

}  // namespace
}  // namespace surefield
