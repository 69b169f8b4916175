#include "surefield/io/binary/binary_field.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "surefield/api/generate.hpp"
#include "surefield/core/random.hpp"
#include "surefield/io/binary/npy_writer.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

using testing::refusal;
using testing::TemporaryFolder;

ModelFile free_file(PairwiseField field) {
  const Index n = field.size();
  return {std::move(field), {}, unit_box(n)};
}

TEST(BinaryField, ReadsBackToTheSameBits) {
  const TemporaryFolder folder("sfm-round-trip");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string path = message(folder.text(), "/m", seed % 3, ".sfm");  // some are replaced
    ModelFile file = free_file(testing::random_pairwise(seed, 0.4, seed));
    if (seed % 2 == 1) {
      file.box.fix(0, 1);
      for (Index i = 0; i < seed; ++i) file.items.push_back(message("item ", i));
    }
    write_model(path, file);
    const ModelFile back = read_model(path);
    EXPECT_TRUE(testing::same(*back.model.as<PairwiseField>(), *file.model.as<PairwiseField>()))
        << seed;
    EXPECT_EQ(back.box, file.box);
    EXPECT_EQ(back.items, file.items);
    const BinaryField arrays(path);
    EXPECT_EQ(arrays.variables(), seed);
    EXPECT_EQ(arrays.edge_ends(), file.model.as<PairwiseField>()->neighbour.size());
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_TRUE(entry.path().string().ends_with(".sfm")) << "left behind: " << entry.path();
}

TEST(BinaryField, KeepsTheErrorAFieldInherited) {
  const TemporaryFolder folder("sfm-inherited");
  PairwiseField field = testing::random_pairwise(4, 1, 1);
  field.inherited_error = 0x1p-30;
  write_model(folder.text() + "/m.sfm", free_file(field));
  EXPECT_EQ(read_model(folder.text() + "/m.sfm").model.as<PairwiseField>()->inherited_error,
            0x1p-30);
}

TEST(BinaryField, HoldsACutAsTheFieldItIs) {
  const TemporaryFolder folder("sfm-cut");
  const GraphCut cut = make_graph_cut({1, -2, 0.5}, {{0, 1, 2}, {1, 2, 3}, {1, 2, 0.25}});
  write_model(folder.text() + "/m.sfm", {cut, {}, unit_box(3)});
  EXPECT_TRUE(
      testing::same(*read_model(folder.text() + "/m.sfm").model.as<PairwiseField>(), cut.field));
  EXPECT_EQ(
      refusal([&] {
        write_model(folder.text() + "/f.sfm", {testing::random_flid(2, 1, 1), {}, unit_box(2)});
      }),
      "a flid model cannot be written as sfm, which holds pairwise and cut models; json can hold "
      "it");
  EXPECT_FALSE(std::filesystem::exists(folder.text() + "/f.sfm"));
}

TEST(BinaryField, AGridInSlicesIsTheGridInMemory) {
  const TemporaryFolder folder("sfm-grid");
  for (const char* kind : {"soft-grid", "hard-grid"})
    for (const Index items : {0, 1, 3, 50, 2000}) {
      const GenerateOptions options{.items = items, .seed = 7 + items};
      const std::string path = folder.text() + "/grid.sfm";
      generate_binary(kind, options, path);
      const AnyModel model = generate(kind, options);
      EXPECT_TRUE(
          testing::same(*read_model(path).model.as<PairwiseField>(), *model.as<PairwiseField>()))
          << kind << " " << items;
    }
}

TEST(BinaryField, IsAFolderInEveryDoor) {
  const TemporaryFolder folder("sfm-doors");
  const std::string path = folder.text() + "/plain";  // no ending says what it is
  write_model(path, free_file(testing::random_pairwise(3, 1, 1)), "sfm");
  EXPECT_EQ(read_model(path).model.size(), 3U);
  EXPECT_EQ(read_model(path + "/").model.size(), 3U);
  EXPECT_EQ(refusal([&] { read_model(path, {.row_weight = 1}); }),
            path + ": a row weight is for set covers, but this is sfm");
  EXPECT_EQ(refusal([] { parse_model("x", "x.sfm"); }),
            "x.sfm: the format sfm is a folder, which cannot come as text");
  EXPECT_EQ(refusal([&] { read_model(folder.text() + "/none.sfm"); }),
            folder.text() + "/none.sfm: cannot be read: a model of the format sfm is a folder");
  folder.write("taken.sfm", "a file");
  EXPECT_EQ(refusal([&] {
              write_model(folder.text() + "/taken.sfm",
                          free_file(testing::random_pairwise(3, 1, 1)));
            }),
            folder.text() +
                "/taken.sfm: cannot be written: something is there that is not a binary model");
  EXPECT_EQ(read_file(folder.text() + "/taken.sfm"), "a file");
}

/// A triangle, so that every array has something to damage.
class Damaged {
 public:
  Damaged() : folder_("sfm-damaged"), path_(folder_.text() + "/m.sfm") {
    const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -2}, {0, 2, -3}};
    ModelFile file = free_file(make_pairwise_field({1, 2, 3}, edges));
    file.box.fix(2, 1);
    write_model(path_, file);
  }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  void replace(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  template <class T>
  void put(const std::string& name, const std::vector<T>& values) const {
    std::filesystem::remove(path(name));
    NpyWriter<T> out(path(name), values.size());
    out.write(values);
    out.close();
  }
  std::string refused() const {
    return refusal([&] { read_model(path_); });
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

TEST(BinaryField, NamesTheFileAndThePlaceOfWhatIsWrong) {
  using Ids = std::vector<std::uint32_t>;
  using Starts = std::vector<std::uint64_t>;
  using Numbers = std::vector<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto after = [](const std::string& name, const auto& values) {
    const Damaged model;
    model.put(name, values);
    const std::string said = model.refused();
    EXPECT_TRUE(said.starts_with(model.path("")) ||
                said.starts_with(model.path("").substr(0, model.path("").size() - 1)))
        << said;
    return said.substr(said.find("m.sfm") + 5);
  };
  // Node 0 has the ends 0 and 1, to 1 and 2; node 1 to 0 and 2; node 2 to 0 and 1.
  EXPECT_EQ(after("bias.npy", Numbers{1, nan, 3}),
            "/bias.npy: number 1 is nan, which must be finite");
  EXPECT_EQ(after("bias.npy", Numbers{1, 2}), "/bias.npy: it holds 2 numbers, which must be 3");
  EXPECT_EQ(after("bias.npy", Ids{1, 2, 3}), "/bias.npy: its numbers are <u4, which must be <f8");
  EXPECT_EQ(after("start.npy", Starts{0, 2, 4, 5}),
            "/start.npy: it goes from 0 to 5, which must be from 0 to 6");
  EXPECT_EQ(after("start.npy", Starts{0, 5, 4, 6}),
            "/neighbour.npy: node 0 has the neighbour 1, which has no neighbour 0");
  EXPECT_EQ(after("start.npy", Starts{0, 2, 1, 6}),
            "/neighbour.npy: node 0 has the neighbour 1, which has no neighbour 0");
  EXPECT_EQ(after("start.npy", Starts{0, 2, ~0ULL, 6}),
            "/neighbour.npy: node 0 has the neighbour 1, which has no neighbour 0");
  EXPECT_EQ(after("neighbour.npy", Ids{1, 3, 0, 2, 0, 1}),
            "/neighbour.npy: number 1 is 3, which must be below 3");
  EXPECT_EQ(after("neighbour.npy", Ids{1, 1, 0, 2, 0, 1}),
            "/neighbour.npy: numbers 0 and 1 of node 0 are 1 and 1, which must ascend");
  EXPECT_EQ(after("neighbour.npy", Ids{0, 2, 0, 2, 0, 1}),
            "/neighbour.npy: number 0 joins node 0 to itself");
  EXPECT_EQ(after("neighbour.npy", Ids{1, 2, 0, 2, 0, 0}),
            "/neighbour.npy: node 1 has the neighbour 2, which has no neighbour 1");
  EXPECT_EQ(after("coupling.npy", Numbers{-1, -3, -1, -2, -3, -2.5}),
            "/coupling.npy: the coupling of 1 and 2 is -2 at one end and -2.5 at the other");
  EXPECT_EQ(after("coupling.npy", Numbers{-1, -HUGE_VAL, -1, -2, -HUGE_VAL, -2}),
            "/coupling.npy: number 1 is -inf, which must be finite");
  EXPECT_EQ(after("low.npy", Numbers{0, 0, 1.5}),
            ": the box of item 2 is [1.5, 1], which must be ascending in [0, 1]");
  EXPECT_EQ(after("high.npy", Numbers{0, nan, 1}),
            ": the box of item 1 is [0, nan], which must be ascending in [0, 1]");
}

TEST(BinaryField, NamesWhatIsWrongWithItsIndex) {
  const auto after = [](const std::string& from, const std::string& to) {
    const Damaged model;
    std::string text = read_file(model.path("model.json"));
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    model.replace("model.json", text.replace(at, from.size(), to));
    const std::string said = model.refused();
    return said.substr(said.find("m.sfm") + 6);
  };
  EXPECT_EQ(after("\"1\"", "\"2\""),
            "model.json: /surefield is '2', which must be '1', the version this program reads");
  EXPECT_EQ(after("pairwise", "flid"), "model.json: /kind is 'flid', which must be 'pairwise'");
  EXPECT_EQ(after("\"variables\": 3", "\"variables\": 4"),
            "bias.npy: it holds 3 numbers, which must be 4");
  EXPECT_EQ(after("\"edge_ends\": 6", "\"edge_ends\": 4"),
            "neighbour.npy: it holds 6 numbers, which must be 4");
  EXPECT_EQ(after("\"variables\": 3", "\"variables\": -3"),
            "model.json: /variables is -3, which must be a whole number from 0 to 281474976710656");
  EXPECT_EQ(
      after("\"constant\"", "\"constand\""),
      "model.json: / has the unknown key 'constand', known are: surefield, form, kind, variables, "
      "edge_ends, constant, inherited_error, items");
}

// Bytes of every file changed, cut off or doubled at random: refused, or read to a valid model.
TEST(BinaryField, DamagedFilesAreRefusedOrValid) {
  Random random(14);
  int refused = 0;
  for (int round = 0; round < 150; ++round) {
    const Damaged model;
    const char* const files[] = {"model.json",    "bias.npy",     "start.npy",
                                 "neighbour.npy", "coupling.npy", "low.npy"};
    const std::string name = files[random.below(6)];
    std::string bytes = read_file(model.path(name));
    switch (random.below(4)) {
      case 0:
        bytes.resize(random.below(bytes.size()));
        break;
      case 1:
        bytes += bytes.substr(random.below(bytes.size()));
        break;
      default:
        for (std::uint64_t k = 0; k <= random.below(3); ++k)
          bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    model.replace(name, bytes);
    try {
      const ModelFile file = read_model(model.path("").substr(0, model.path("").size() - 1));
      std::vector<std::uint8_t> all(file.model.size(), 1);
      EXPECT_TRUE(std::isfinite(file.model.evaluate(all))) << name << " round " << round;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 75);
}

}  // namespace
}  // namespace surefield
