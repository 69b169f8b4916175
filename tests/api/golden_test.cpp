// The paper's own per-fold values behind Table 1: one pass of each published algorithm, with the
// coordinate orders of its authors, to 1e-12. Values and orders come with the public data
// (flid_golden), an independent implementation agrees with them to 1e-13.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/io/flid_file.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::ifstream in(testing::shared_data("flid_golden/" + file));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

std::vector<Index> order_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<Index>(words), {}};
}

class Models {
 public:
  const Flid& operator()(const std::string& category, const std::string& d,
                         const std::string& fold) {
    const std::string name = "flid/" + category + "_flid_d_" + d + "_fold_" + fold + ".txt";
    if (!models_.contains(name))
      models_.emplace(name, read_flid(testing::shared_data(name).string()).model);
    return models_.at(name);
  }

 private:
  std::map<std::string, Flid> models_;
};

double one_pass(const Flid& model, const std::string& solver, std::span<const Index> order) {
  const Box box = unit_box(model.size());
  const Elbo bottom(model.at(box.low));
  const Elbo top(model.at(box.high));
  if (solver == "DR-DoubleGreedy")
    return double_greedy(bottom, top, order, Proportional{}).report.value;
  if (solver == "Submodular-DoubleGreedy")
    return double_greedy(bottom, top, order, Winner{}).report.value;
  const double tolerance = 1e-3 / static_cast<double>(model.size());
  return double_greedy(bottom, top, order, BalancedByBisection{tolerance}).report.value;
}

TEST(Golden, EveryPublishedElboOfOneEpoch) {
  SUREFIELD_NEEDS_DATA("flid_golden");
  std::map<std::string, std::vector<Index>> orders;
  for (const auto& row : rows_of("orders_elbo.csv"))
    if (row[2] == "0") orders[row[0] + ' ' + row[1]] = order_of(row[3]);
  Models models;
  std::size_t checked = 0;
  for (const auto& row : rows_of("published_elbo_1epoch.csv")) {
    const double value =
        one_pass(models(row[0], row[2], row[4]), row[3], orders.at(row[0] + ' ' + row[4]));
    ASSERT_NEAR(value, std::stod(row[5]), 1e-12)
        << row[0] << " D=" << row[2] << ' ' << row[3] << " fold " << row[4];
    ++checked;
  }
  EXPECT_EQ(checked, 810U);
}

TEST(Golden, EveryPublishedPaElboOfOneEpoch) {
  SUREFIELD_NEEDS_DATA("flid_golden");
  std::map<std::string, std::vector<Index>> orders;
  for (const auto& row : rows_of("orders_pa.csv"))
    if (row[3] == "0") orders[row[0] + ' ' + row[1] + ' ' + row[2]] = order_of(row[4]);
  Models models;
  std::size_t checked = 0;
  for (const auto& row : rows_of("published_pa_elbo_1epoch.csv")) {
    const Flid both = sum_of(1, models(row[0], row[2], row[4]), 1, models(row[0], row[2], row[5]));
    const double value = one_pass(both, row[3], orders.at(row[0] + ' ' + row[4] + ' ' + row[5]));
    ASSERT_NEAR(value, std::stod(row[6]), 1e-12)
        << row[0] << " D=" << row[2] << ' ' << row[3] << " folds " << row[4] << ", " << row[5];
    ++checked;
  }
  EXPECT_EQ(checked, 3645U);
}

}  // namespace
}  // namespace surefield
