#include "surefield/experiments/paper_stream.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

/// The comma separated fields of a line, the last one taken apart at its blanks.
struct GoldenLine {
  std::vector<std::string> fields;
  std::vector<double> numbers;
};

std::vector<GoldenLine> golden(const std::string& file) {
  std::vector<GoldenLine> lines;
  std::ifstream in(testing::shared_data("flid_golden/" + file));
  std::string text;
  std::getline(in, text);
  while (std::getline(in, text)) {
    GoldenLine line;
    std::istringstream fields(text);
    for (std::string field; std::getline(fields, field, ',');) line.fields.push_back(field);
    std::istringstream numbers(line.fields.back());
    for (std::string number; numbers >> number;) line.numbers.push_back(std::stod(number));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::size_t dimension_index(const std::string& dimensions) {
  const auto found =
      std::find(kPaperDimensions.begin(), kPaperDimensions.end(), std::stoul(dimensions));
  return static_cast<std::size_t>(found - kPaperDimensions.begin());
}

TEST(PaperStream, DrawsEveryOrderAndStartOfTheGoldenFiles) {
  SUREFIELD_NEEDS_DATA("flid_golden");
  const PaperStream elbo = elbo_stream();
  std::size_t checked = 0;
  for (const auto& line : golden("orders_elbo.csv")) {
    const auto& order = elbo.at(line.fields[0])
                            .at({std::stoi(line.fields[1]), 0})
                            .orders.at(std::stoul(line.fields[2]));
    ASSERT_EQ(std::vector<double>(order.begin(), order.end()), line.numbers) << line.fields[0];
    ++checked;
  }
  for (const auto& line : golden("ca_random_init_elbo.csv")) {
    const auto& draws = elbo.at(line.fields[0]).at({std::stoi(line.fields[1]), 0});
    ASSERT_EQ(draws.starts[dimension_index(line.fields[2])], line.numbers) << line.fields[0];
    ++checked;
  }
  const PaperStream agreement = agreement_stream(true);
  for (const auto& line : golden("orders_pa.csv")) {
    const auto& order = agreement.at(line.fields[0])
                            .at({std::stoi(line.fields[1]), std::stoi(line.fields[2])})
                            .orders.at(std::stoul(line.fields[3]));
    ASSERT_EQ(std::vector<double>(order.begin(), order.end()), line.numbers) << line.fields[0];
    ++checked;
  }
  EXPECT_GT(checked, 1000U);
}

TEST(PaperStream, HasEveryProblemOfThePaper) {
  const PaperStream printed = agreement_stream(false);
  const PaperStream released = agreement_stream(true);
  ASSERT_EQ(printed.size(), 13U);
  for (const auto& [category, problems] : printed) {
    EXPECT_EQ(problems.size(), 45U);
    EXPECT_EQ(problems.at({1, 2}).orders.size(), 10U);
  }
  // The sixth category still shares the stream; the seventh starts anew in the printed table only.
  EXPECT_EQ(printed.at("bedding").at({9, 10}).orders, released.at("bedding").at({9, 10}).orders);
  EXPECT_NE(printed.at("apparel").at({1, 2}).orders, released.at("apparel").at({1, 2}).orders);
  EXPECT_EQ(elbo_stream().at("carseats").size(), 10U);
  EXPECT_EQ(elbo_stream().at("carseats").at({1, 0}).orders.size(), 6U);
}

TEST(PaperStream, RefusesACategoryThatThePaperDoesNotHave) {
  EXPECT_EQ(testing::refusal([] { paper_category("cars"); }),
            "category: 'cars' is none of the paper's");
  EXPECT_EQ(paper_category("toys").items, 62U);
}

}  // namespace
}  // namespace surefield
