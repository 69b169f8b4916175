#include "surefield/io/set_cover.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_coverage.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

void expect_equal(const Coverage& a, const Coverage& b) {
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.concept_weight, b.concept_weight);
  ASSERT_EQ(a.members.groups(), b.members.groups());
  for (Index c = 0; c < a.members.groups(); ++c) {
    const auto x = a.members.of_group(c);
    const auto y = b.members.of_group(c);
    EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << c;
  }
}

TEST(SetCover, ByHand) {
  const Coverage model = parse_set_cover(" 2 3 \r\n 1 2 2.5\n 2\n 1 3\n1\n2", "f");
  EXPECT_EQ(model.cost, (std::vector<double>{1, 2, 2.5}));
  EXPECT_EQ(model.concept_weight, (std::vector<double>{1, 1}));
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 0, 1}), -2.5);  // 1 covered - 1 - 2.5
  EXPECT_EQ(parse_set_cover("2 1 5 1 1 1 1", "f", 10).evaluate(std::vector<std::uint8_t>{1}), 15);
  const Coverage triples = parse_steiner_cover("4 2\n1 2 3\n2 3 4\n", "f");
  EXPECT_EQ(triples.cost, std::vector<double>(4, 1.0));
  EXPECT_EQ(triples.evaluate(std::vector<std::uint8_t>{0, 1, 0, 0}),
            1);  // both rows for the cost of one
  EXPECT_EQ(parse_steiner_cover("4 2\n1 2 3\n2 3 4\n", "f", 3).concept_weight,
            (std::vector<double>{3, 3}));
}

TEST(SetCover, WritesWhatItReads) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Coverage drawn = testing::random_coverage(seed % 7, seed % 5, seed, true);
    std::vector<std::vector<Entry>> rows;
    for (Index c = 0; c < drawn.members.groups(); ++c) {
      rows.emplace_back();
      for (const auto& entry : drawn.members.of_group(c))
        if (entry.value > 0) rows.back().push_back({entry.index, 1});
    }
    const Coverage model = make_coverage(drawn.cost, std::vector<double>(rows.size(), 2.5), rows);
    expect_equal(parse_set_cover(set_cover_text(model, 2.5), "f", 2.5), model);
  }
}

TEST(SetCover, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_set_cover(text, "c.txt"); });
  };
  EXPECT_EQ(refusal("1 2\n1 1\n1\n3\n"), "c.txt:4: found '3', expected a column from 1 to 2");
  EXPECT_EQ(refusal("1 2\n1 1\n2\n1 1\n"), "c.txt:4: column 1 is twice in row 1");
  EXPECT_EQ(refusal("1 2\n1 1\n9\n1 1\n"),
            "c.txt:3: found '9', but the rest of the file can hold at most 3 columns");
  EXPECT_EQ(refusal("1 2\n1 inf\n1\n1\n"),
            "c.txt:2: found 'inf', expected a finite number (the cost of a column)");
  EXPECT_EQ(refusal("1 2\n1 1\n1\n1\n7\n"),
            "c.txt:5: found '7', expected the end of the file after 1 rows");
  EXPECT_EQ(testing::refusal([] { parse_steiner_cover("3 1\n1 2 4\n", "d.3"); }),
            "d.3:2: found '4', expected a column from 1 to 3");
  const std::vector<std::vector<Entry>> half{{{0, 0.5}}};
  EXPECT_EQ(testing::refusal([&] { set_cover_text(make_coverage({1}, {1}, half)); }),
            "set cover: item 0 covers concept 0 with probability 0.5, which must be 1; write the "
            "model as JSON");
  EXPECT_EQ(testing::refusal([&] { set_cover_text(make_coverage({1}, {3}, half)); }),
            "set cover: concept 0 has weight 3, which must be 1; write the model as JSON");
}

TEST(SetCoverData, HasItsRowsAndColumns) {
  SUREFIELD_NEEDS_DATA("orlib_scp");
  struct Row {
    std::string file;
    Index rows, columns;  // unicost_best_known.csv, and the first lines of the triple systems
  };
  const std::vector<Row> rows{{"scp41.txt", 200, 1000}, {"scp49.txt", 200, 1000},
                              {"scp51.txt", 200, 2000}, {"scp61.txt", 200, 1000},
                              {"scpa1.txt", 300, 3000}, {"scpclr10.txt", 511, 210},
                              {"scpe1.txt", 50, 500},   {"scpcyc06.txt", 240, 192}};
  for (const auto& [file, concepts, items] : rows) {
    const Coverage model = read_set_cover(testing::shared_data("orlib_scp/" + file).string());
    EXPECT_EQ(model.concept_weight.size(), concepts) << file;
    EXPECT_EQ(model.size(), items) << file;
    expect_equal(parse_set_cover(set_cover_text(model), "f"), model);
  }
  for (const auto& [items, concepts] :
       std::vector<std::pair<Index, Index>>{{9, 12}, {15, 35}, {27, 117}, {45, 330}, {81, 1080}}) {
    const Coverage model = read_steiner_cover(
        testing::shared_data(message("orlib_scp/steiner/data.", items)).string());
    EXPECT_EQ(model.size(), items);
    EXPECT_EQ(model.concept_weight.size(), concepts);
    for (Index i = 0; i < items; ++i)  // every point of a triple system lies in (n - 1) / 2 triples
      EXPECT_EQ(model.members.of_item(i).size(), (items - 1) / 2);
  }
}

}  // namespace
}  // namespace surefield
