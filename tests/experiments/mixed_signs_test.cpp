// Fields of both signs, certified: a tiny folder, in all formats.
#include "surefield/experiments/mixed_signs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

/// Two variables: 1, 2 and 3, 4 for the second in; pairs 5 where they differ. Z = 1*3 + 5*1*4 + 5*2*3 + 2*4.
constexpr const char* kTwoNodes =
    "MARKOV\n2\n2 2\n3\n1 0\n1 1\n2 0 1\n2\n1 2\n2\n3 4\n4\n1 5 5 1\n";

TEST(MixedSigns, OfATinyFolderAreCertifiedAndADamagedFileIsNamed) {
  const testing::TemporaryFolder folder("mixed-signs");
  std::filesystem::create_directory(folder.path() / "uai");
  folder.write("uai/Grids_1.uai", kTwoNodes);
  folder.write("uai/Grids_2.uai", kTwoNodes);
  folder.write("uai/Grids_2.uai.evid", "1 1 1\n");
  folder.write("uai/Other_1.uai", kTwoNodes);
  folder.write("testfast.fg", "nonsense\n");
  std::vector<double> done;
  const MixedSigns fields =
      mixed_signs({.folder = folder.text(),
                   .seconds = 10,
                   .wanted_gap = 1e-6,
                   .random_sizes = {4},
                   .progress = [&](double fraction) { done.push_back(fraction); }});
  EXPECT_TRUE(fields.complete);
  EXPECT_EQ(done, (std::vector{0.25, 0.5, 0.75, 1.0}));
  ASSERT_EQ(fields.faults.size(), 1U);
  EXPECT_NE(fields.faults[0].find("testfast.fg"), std::string::npos);
  ASSERT_EQ(fields.rows.size(), 3U);
  EXPECT_EQ(fields.rows[0].name, "Grids_1.uai");
  EXPECT_EQ(fields.rows[2].n, 4U);
  const double exact[] = {std::log(3 + 20 + 30 + 8), std::log(20 + 8)};
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_LE(*fields.rows[k].log_z_lower, exact[k] + 1e-14);
    EXPECT_GE(*fields.rows[k].log_z_upper, exact[k] - 1e-14);
    EXPECT_TRUE(fields.rows[k].log_z_exact);
  }
  for (const auto& row : fields.rows) {
    EXPECT_LE(*row.gap(), 1e-6);
    EXPECT_GE(*row.upper_bound, row.elbo);
    EXPECT_LE(row.elbo, *row.log_z_upper);
  }
  const auto json = nlohmann::json::parse(mixed_signs_json(fields));
  EXPECT_EQ(json["experiment"], "mixed-signs");
  EXPECT_EQ(json["rows"][0]["field"], "Grids_1.uai");
  EXPECT_EQ(json["rows"][0]["elbo"].get<double>(), fields.rows[0].elbo);
  EXPECT_EQ(json["rows"][0]["upper_bound"].get<double>(), *fields.rows[0].upper_bound);
  EXPECT_EQ(json["rows"][0]["log_z_lower"].get<double>(), *fields.rows[0].log_z_lower);
  EXPECT_EQ(json["rows"][0]["log_z_upper"].get<double>(), *fields.rows[0].log_z_upper);
  EXPECT_EQ(json["faults"].size(), 1U);
  EXPECT_TRUE(mixed_signs_csv(fields).starts_with(
      "field,n,elbo,upper_bound,gap,log_z_lower,log_z_upper,log_z_exact,seconds\nGrids_1.uai,2,"));
  EXPECT_NE(mixed_signs_text(fields).find("not certified: "), std::string::npos);
}

TEST(MixedSigns, StopWhenToldToAndRefuseAFolderWithoutFields) {
  const testing::TemporaryFolder folder("no-mixed-signs");
  EXPECT_THROW(mixed_signs({.folder = folder.text()}), Error);
  EXPECT_THROW(mixed_signs({.folder = folder.text() + "/nobody"}), Error);
  folder.write("Grids_1.uai", kTwoNodes);
  const MixedSigns fields =
      mixed_signs({.folder = folder.text(), .budget = Budget().asking([] { return false; })});
  EXPECT_FALSE(fields.complete);
  EXPECT_TRUE(fields.rows.empty());
}

TEST(MixedSigns, WhatIsNotKnownIsNull) {
  MixedSigns fields;
  fields.rows.push_back({.name = "a", .n = 2, .elbo = 1});
  const auto json = nlohmann::json::parse(mixed_signs_json(fields));
  for (const char* field : {"upper_bound", "gap", "log_z_lower", "log_z_upper"})
    EXPECT_TRUE(json["rows"][0][field].is_null()) << field;
}

}  // namespace
}  // namespace surefield
