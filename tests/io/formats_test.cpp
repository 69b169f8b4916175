#include "surefield/io/formats.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "surefield/core/error.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/write_file.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

TEST(Formats, TheTableIsConsistent) {
  std::set<std::string_view> names;
  for (const ModelFormat& format : model_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_EQ(&format_named(format.name), &format);
    EXPECT_EQ(format_by_ending(message("a/b", format.endings.substr(0, format.endings.find(' ')))),
              &format);
    EXPECT_NE(format.parse != nullptr, format.is_folder());
  }
  EXPECT_EQ(testing::refusal([] { format_named("xml"); }),
            "the format is 'xml', which must be one of json, uai, flid, fg, edges, set-cover, "
            "hyperedges, steiner, sfm");
}

TEST(Formats, TheNameOfAFileSaysItsFormat) {
  const auto name = [](std::string_view path) {
    const auto* format = format_by_ending(path);
    return format == nullptr ? std::string_view("none") : format->name;
  };
  EXPECT_EQ(name("m.JSON"), "json");
  EXPECT_EQ(name("x.y/bqp50-1.sparse"), "edges");
  EXPECT_EQ(name("steiner/data.45"), "steiner");
  EXPECT_EQ(name("data.csv"), "none");
  EXPECT_EQ(name("x.json/file"), "none");
  EXPECT_EQ(name("G1.txt"), "none");
}

TEST(Formats, TheContentSaysTheRest) {
  const auto name = [](std::string_view text) {
    const auto* format = format_by_content(text);
    return format == nullptr ? std::string_view("none") : format->name;
  };
  EXPECT_EQ(name("{ \"surefield\": \"1\"}"), "json");
  EXPECT_EQ(name("c x\nMARKOV\n"), "uai");
  EXPECT_EQ(name("2 1 -0.5 3\n1 2\n3\n4\n"), "flid");
  EXPECT_EQ(name("# x\n1\n\n2\n0 1\n2 2\n0\n"), "fg");
  EXPECT_EQ(name("3 2\n1 2 1\n2 3 1\n"), "edges");
  EXPECT_EQ(name("1 3\n1 1\n1\n2\n1 3\n"), "set-cover");
  EXPECT_EQ(name("nodes\na\nedges\na\n"), "hyperedges");
  EXPECT_EQ(name("1 2\n3 4 5\n6 7 8\n"), "hyperedges");
  EXPECT_EQ(name("hello world\n"), "none");
  EXPECT_EQ(name(""), "none");
}

TEST(Formats, RefusesWhatNothingSays) {
  EXPECT_EQ(testing::refusal([] { parse_model("hello\n", "x.txt"); }),
            "x.txt: neither its name nor its content says what it is; name one of the formats "
            "json, uai, flid, fg, "
            "edges, set-cover, hyperedges, steiner, sfm");
  EXPECT_EQ(testing::refusal([] { parse_model("1 0\n", "x.edges", {.evidence = "e"}); }),
            "x.edges: evidence is for uai and fg files, but this is edges");
  EXPECT_EQ(testing::refusal([] {
              write_model("x.txt", {make_graph_cut({0}, {}), {}, unit_box(1)});
            }),
            "x.txt: its name does not say which format to write; name one of json, uai, flid, fg, "
            "edges, set-cover, "
            "hyperedges, steiner, sfm");
  const ModelFile flid{testing::random_flid(2, 1, 1), {}, unit_box(2)};
  EXPECT_EQ(testing::refusal([&] { write_model("x.uai", flid); }),
            "x.uai: a flid model cannot be written as uai, which holds pairwise, cut and gibbs "
            "models; json can hold it");
  EXPECT_EQ(testing::refusal([&] { write_model("x.scp", flid); }),
            "x.scp: a flid model cannot be written as set-cover, which holds coverage models; json "
            "can hold it");
  EXPECT_EQ(testing::refusal([&] { model_text(flid, format_named("steiner")); }),
            "the format steiner can be read but not written");
  EXPECT_EQ(testing::refusal([&] {
              model_text({*flid.model.as<Flid>(), {}, {{0, 1}, {1, 1}}}, format_named("flid"));
            }),
            "the flid format cannot hold the model's box; json can");
  EXPECT_EQ(testing::refusal([&] {
              model_text({make_graph_cut({0}, {}), {}, {{0.5}, {1}}}, format_named("uai"));
            }),
            "the uai format cannot hold the interval [0.5, 1] of item 0; json can");
}

TEST(Formats, AFileWrittenIsTheFileRead) {
  const auto folder =
      std::filesystem::temp_directory_path() / message("surefield_formats_", ::getpid());
  std::filesystem::create_directory(folder);
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (Index kind = 0; kind < testing::kAllKinds; ++kind) {
      const ModelFile file{
          testing::random_any_model(kind, 3, seed), {"a", "b", "c"}, {{0, 0, 0.5}, {1, 0, 1}}};
      const auto path = (folder / "m.json").string();
      write_model(path, file);
      const ModelFile again = read_model(path);
      EXPECT_TRUE(testing::same(again.model, file.model));
      EXPECT_EQ(again.items, file.items);
      EXPECT_EQ(again.box, file.box);
    }
  std::filesystem::remove_all(folder);
}

TEST(Formats, FactorFilesKeepForcedItems) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    for (const Index kind : {3, 4, 6})
      for (const auto* format : {"uai", "fg"}) {
        const Index n = 4;
        ModelFile file{testing::random_any_model(kind, n, seed), {}, unit_box(n)};
        if (kind == 4)
          file.model = make_graph_cut({1, -2, 0.5, 0}, {{0, 1, 2}, {2, 1, -1}}, seed % 2 == 0);
        file.box.fix(seed % n, 1);
        file.box.fix((seed + 1) % n, 0);
        const ModelFile again =
            parse_model(model_text(file, format_named(format)), "f", {.format = format});
        EXPECT_EQ(again.box, file.box);
        for (std::uint64_t code = 0; code < 1U << n; ++code) {
          const auto chosen = reference::subset(code, n);
          if (!chosen[seed % n] || chosen[(seed + 1) % n]) continue;
          EXPECT_NEAR(evaluate(again.model, chosen), evaluate(file.model, chosen), 1e-11)
              << seed << " " << format;
        }
      }
}

TEST(Formats, EvidenceFixesItsVariables) {
  const auto path =
      (std::filesystem::temp_directory_path() / message("surefield_", ::getpid(), ".evid"))
          .string();
  write_file(path, "1 1 1\n");
  const ModelFile file = parse_model("MARKOV 2 2 2 1 2 0 1 4 1 0 3 4", "m.uai", {.evidence = path});
  std::filesystem::remove(path);
  EXPECT_EQ(file.box, (Box{{1, 1}, {1, 1}}))
      << "x1 = 1 observed leaves (0,1): 0 and (1,1): 4, so x0 = 1";
  EXPECT_NEAR(evaluate(file.model, std::vector<std::uint8_t>{1, 1}), std::log(4), 1e-15);
}

TEST(FormatsData, EveryPublicFileIsRecognised) {
  SUREFIELD_NEEDS_DATA("");
  struct Folder {
    std::string name, ending, format;
    Index files;
  };
  const std::vector<Folder> folders{{"flid", "fold_1.txt", "flid", 27},
                                    {"uai", ".uai", "uai", 8},
                                    {"fg", ".fg", "fg", 8},
                                    {"maxcut_gset", ".txt", "edges", 5},
                                    {"maxcut_biqmac", ".0", "edges", 6},
                                    {"qubo_biqmac", ".sparse", "edges", 8},
                                    {"orlib_scp", ".txt", "set-cover", 8},
                                    {"hypergraphs", ".txt", "hyperedges", 4}};
  for (const auto& [folder, ending, format, count] : folders) {
    Index files = 0;
    for (const auto& file : testing::shared_files(folder, ending)) {
      if (file.string().find("best") != std::string::npos) continue;
      const std::string text = read_file(file.string());
      const auto* found = format_by_content(text);
      ASSERT_NE(found, nullptr) << file;
      EXPECT_EQ(found->name, format) << file;
      ++files;
      if (file.filename() == "alarm.fg" || folder == "uai")
        continue;  // not binary; zeros that evidence must remove
      EXPECT_GT(size_of(parse_model(text, file.string()).model), 0U) << file;
    }
    EXPECT_EQ(files, count) << folder;
  }
}

}  // namespace
}  // namespace surefield
