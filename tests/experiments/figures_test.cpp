#include "surefield/experiments/figures.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

using Json = nlohmann::json;

/// A copy of one of the authors' models.
void copy_model(const testing::TemporaryFolder& folder, const std::string& model) {
  std::filesystem::copy_file(testing::shared_data("flid") / model, folder.path() / model);
}

/// The published values of both files by `category,n,D,solver,fold[,fold]`.
std::map<std::string, double> published() {
  std::map<std::string, double> values;
  for (const char* file :
       {"flid_golden/published_elbo_1epoch.csv", "flid_golden/published_pa_elbo_1epoch.csv"}) {
    std::ifstream in(testing::shared_data(file));
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line))
      values[line.substr(0, line.rfind(','))] = std::stod(line.substr(line.rfind(',') + 1));
  }
  return values;
}

/// No null anywhere below, but where the path says so.
void expect_no_null(const Json& json, const std::string& path) {
  EXPECT_FALSE(json.is_null()) << path;
  if (json.is_structured())
    for (const auto& [key, value] : json.items()) expect_no_null(value, path + "/" + key);
}

TEST(Figures, BeginWithThePublishedOneEpochValuesAndNeverFall) {
  SUREFIELD_NEEDS_DATA("flid");
  const Figures figures = reproduce_figures({.folder = testing::shared_data("flid").string(),
                                             .log_z_seconds = 60,
                                             .log_z_width = 1,
                                             .released_stream = true,
                                             .budget = Budget().with_threads(2)});
  EXPECT_TRUE(figures.faults.empty());
  EXPECT_TRUE(figures.complete);
  ASSERT_EQ(figures.left_out.size(), 1U);
  EXPECT_EQ(figures.left_out[0], "bath, strollers, health: the folder holds no model of theirs");
  ASSERT_EQ(figures.charts.size(), 21U);  // seven rows of figures, three dimensions each
  const auto golden = published();
  const std::map<std::string_view, std::string> one_epoch{
      {"DG-MeanField-1/2", "DR-DoubleGreedy"},
      {"DG-MeanField-1/3", "Submodular-DoubleGreedy"},
      {"BSCB-Multiepoch", "BSCB"}};
  std::size_t checked = 0;
  for (const auto& chart : figures.charts) {
    const bool frank_wolfe = chart.figure == "shrunken Frank-Wolfe";
    const std::size_t epochs = chart.objective == "elbo" || frank_wolfe ? 6 : 10;
    ASSERT_EQ(chart.series.size(), frank_wolfe ? 8U : 6U);
    ASSERT_TRUE(chart.log_z.has_value());
    for (const auto& series : chart.series) {
      const bool ascent = !series.algorithm.starts_with("Shrunken");
      ASSERT_EQ(series.points.size(), (ascent ? epochs : 60) + 1) << chart.id << series.algorithm;
      for (std::size_t e = 0; e < series.points.size(); ++e) {
        EXPECT_EQ(series.points[e].first, static_cast<double>(e));
        EXPECT_LE(series.points[e].second, chart.log_z->high + 1e-9) << "an ELBO is below log Z";
        if (ascent && e > 1) {
          EXPECT_GE(series.points[e].second, series.points[e - 1].second - 1e-9) << chart.id;
        }
      }
      const auto found = one_epoch.find(series.algorithm);
      if (found == one_epoch.end()) continue;
      std::string key = chart.category + "," + std::to_string(chart.items) + "," +
                        std::to_string(chart.dimensions) + "," + found->second;
      for (const int fold : chart.folds) key += "," + std::to_string(fold);
      EXPECT_NEAR(series.points[1].second, golden.at(key), 1e-12) << key;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 3U * 21);
}

TEST(Figures, SayWhatIsMissingOrDamagedAndReproduceTheRest) {
  SUREFIELD_NEEDS_DATA("flid");
  const testing::TemporaryFolder folder("figures-faults");
  copy_model(folder, "gear_flid_d_2_fold_1.txt");
  folder.write("gear_flid_d_3_fold_1.txt", "100 3 oops\n");
  copy_model(folder, "furniture_flid_d_2_fold_6.txt");
  const FiguresOptions options{.folder = folder.text(), .log_z_seconds = 0};
  const Figures figures = reproduce_figures(options);
  ASSERT_EQ(figures.charts.size(), 2U);  // gear, D = 2, in two figures
  EXPECT_EQ(figures.charts[0].id, "elbo-gear-D2");
  EXPECT_EQ(figures.charts[1].id, "frank-wolfe-elbo-gear-D2");
  ASSERT_EQ(figures.faults.size(), 5U);  // gear at 3 and 10; furniture: fold 10, and D = 3, 10
  EXPECT_NE(figures.faults[0].find("gear_flid_d_3_fold_1.txt:1: "), std::string::npos);
  EXPECT_NE(figures.faults[1].find("gear_flid_d_10_fold_1.txt: cannot be read"), std::string::npos);
  EXPECT_NE(figures.faults[2].find("furniture_flid_d_2_fold_10.txt: cannot be read"),
            std::string::npos);
  EXPECT_NE(figures_text(figures).find("not reproduced: "), std::string::npos);

  const Json json = Json::parse(figures_json(figures));
  expect_no_null(json, "");
  EXPECT_EQ(json["experiment"], "figures");
  EXPECT_EQ(json["faults"].size(), 5U);
  EXPECT_EQ(json["charts"][0]["series"][3]["algorithm"], "DG-MeanField-1/2");
  EXPECT_EQ(json["charts"][0]["series"][3]["points"][1][1].get<double>(),
            figures.charts[0].series[3].points[1].second);
  EXPECT_NEAR(json["charts"][0]["log_z"][0], json["charts"][0]["log_z"][1], 1e-9);
  EXPECT_EQ(json["charts"][0]["log_z_exact"], true);
  EXPECT_EQ(json["values"].size(), 3U + 6 + 3 + 8);
  EXPECT_TRUE(
      figures_csv(figures).starts_with("figure,algorithm,epoch,value\n"
                                       "elbo-gear-D2,CoordinateAscent-0,0,0\n"));
  EXPECT_NE(figures_csv(figures).find("\nelbo-gear-D2,\"log Z, lower\",,3.92"), std::string::npos);
}

TEST(Figures, StopWhenToldAndSaySo) {
  SUREFIELD_NEEDS_DATA("flid");
  std::atomic<bool> stop = false;
  int done = 0;
  const Figures figures = reproduce_figures({.folder = testing::shared_data("flid").string(),
                                             .log_z_seconds = 60,
                                             .log_z_width = 1,
                                             .budget = Budget().stopped_by(stop),
                                             .progress = [&](double) { stop = ++done == 5; }});
  EXPECT_FALSE(figures.complete);
  EXPECT_GT(figures.charts.size(), 0U);
  EXPECT_LT(figures.charts.size(), 21U);
  EXPECT_EQ(Json::parse(figures_json(figures))["complete"], false);
}

TEST(Figures, RefuseAFolderWithoutModels) {
  EXPECT_EQ(testing::refusal([] { reproduce_figures({.folder = "/no/such/folder"}); }),
            "/no/such/folder: there is no such folder of models");
  const testing::TemporaryFolder folder("figures-empty");
  EXPECT_EQ(testing::refusal([&] { reproduce_figures({.folder = folder.text()}); }),
            folder.text() +
                ": it holds no file <category>_flid_d_<D>_fold_<k>.txt of the paper's figures");
}

}  // namespace
}  // namespace surefield
