// log Z, the normaliser over non-empty sets and a marginal of generated models of every family,
// against tests/golden/log_z.csv. The values are not of this library's making: make_log_z.py beside
// it adds up all sets in 50 digits, with F written out anew.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "surefield/api/generate.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/learn/held_out.hpp"

namespace surefield {
namespace {

struct Row {
  std::string generator;
  GenerateOptions how;
  double beta, log_z, non_empty, first_marginal;
};

std::vector<Row> rows() {
  std::string path(SUREFIELD_SOURCE_DIR);
  path.append("/tests/golden/log_z.csv");
  std::ifstream file(path);
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<std::string> field(8);
    for (auto& one : field) std::getline(fields, one, ',');
    Row row{.generator = field[0],
            .how = {.items = std::stoul(field[1]), .seed = std::stoul(field[3])},
            .beta = std::stod(field[4]),
            .log_z = std::stod(field[5]),
            .non_empty = std::stod(field[6]),
            .first_marginal = std::stod(field[7])};
    if (!field[2].empty()) row.how.groups = std::stoul(field[2]);
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(GoldenLogZ, OfEveryFamilyIsAsWritten) {
  const auto table = rows();
  ASSERT_EQ(table.size(), 72U);
  for (const Row& row : table) {
    SCOPED_TRACE(::testing::Message()
                 << row.generator << ", seed " << row.how.seed << ", beta " << row.beta);
    const Problem problem = make_problem(generate(row.generator, row.how));
    const LogZResult found =
        log_z(problem, {.inverse_temperature = row.beta, .estimates = false, .marginals = true});
    ASSERT_TRUE(found.lower && found.upper);
    const double rounding = 1e-12 * (1 + std::abs(row.log_z));
    EXPECT_LE(*found.lower, row.log_z + rounding);
    EXPECT_GE(*found.upper, row.log_z - rounding);
    EXPECT_LE(*found.upper - *found.lower, 1e-8);
    ASSERT_FALSE(found.marginals.empty());
    EXPECT_NEAR(found.marginals[0].low, row.first_marginal, 1e-8);
    EXPECT_NEAR(found.marginals[0].high, row.first_marginal, 1e-8);
  }
}

// The bound is proved, so it holds to the last bit: nothing is allowed for.
TEST(GoldenLogZ, OfTheNonEmptySetsIsBetweenItsBounds) {
  for (const Row& row : rows()) {
    if (row.beta != 1) continue;
    SCOPED_TRACE(::testing::Message() << row.generator << ", seed " << row.how.seed);
    const AnyModel model = generate(row.generator, row.how);
    const Interval found = log_z_of_non_empty_sets(model, {row.log_z, row.log_z});
    EXPECT_LE(found.low, row.non_empty);
    EXPECT_GE(found.high, row.non_empty);
    EXPECT_LE(found.high - found.low, 1e-6);
  }
}

}  // namespace
}  // namespace surefield
