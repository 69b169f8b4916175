// The examples of docs/file_formats.md, each read by the reader of its section.
#include <gtest/gtest.h>

#include <map>

#include "surefield/core/error.hpp"
#include "surefield/io/box_file.hpp"
#include "surefield/io/fg_file.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/io/uai_results.hpp"

namespace surefield {
namespace {

/// The fenced blocks of every section, in order.
std::map<std::string, std::vector<std::string>> examples(const std::string& page) {
  std::map<std::string, std::vector<std::string>> found;
  std::string section;
  bool inside = false;
  Lines lines(page, "page");
  while (lines.next()) {
    const std::string line(lines.line());
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) found[section].emplace_back();
    } else if (inside) {
      found[section].back() += line + "\n";
    } else if (line.starts_with("## ")) {
      section = line.substr(3);
    }
  }
  return found;
}

TEST(FileFormatsPage, EveryExampleIsReadAsItsSectionSays) {
  auto page = examples(read_file(std::string(SUREFIELD_SOURCE_DIR) + "/docs/file_formats.md"));
  const auto model = [&](const std::string& section, const std::string& format) {
    EXPECT_EQ(page[section].size(), format == "uai" ? 3U : 1U) << section;
    const ModelFile file = parse_model(page[section].at(0), section, {.format = format});
    EXPECT_EQ(format_by_content(page[section].at(0))->name, format);
    return size_of(file.model);
  };
  EXPECT_EQ(model("JSON", "json"), 2U);
  EXPECT_EQ(model("FLID", "flid"), 2U);
  EXPECT_EQ(model("UAI", "uai"), 3U);
  EXPECT_EQ(parse_uai_evidence(page["UAI"].at(1), "f", 4).low, (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(parse_uai_marginals(page["UAI"].at(2), "f"), (std::vector<double>{0.75, 0}));
  EXPECT_EQ(model("Edge lists", "edges"), 3U);
  EXPECT_EQ(model("Set cover", "set-cover"), 3U);
  EXPECT_EQ(model("Hyperedge lists", "hyperedges"), 3U);
  EXPECT_EQ(parse_sets(page["Data sets"].at(0), "f").items, 7U);
  EXPECT_EQ(parse_sets(page["Data sets"].at(1), "f").names,
            (std::vector<std::string>{"Ramp", "Sea Squirts, five", "Swing"}));
  EXPECT_EQ(parse_item_names(page["Data sets"].at(2), "f").names.size(), 2U);
  const std::vector<std::string> names{"a", "b", "c", "Sea Squirts"};
  EXPECT_EQ(parse_box(page["Boxes"].at(0), "f", 4, ItemLookup(4, 1, names)),
            (Box{{0, 0, 1, 0}, {1, 1, 1, 0.5}}));

  // The zero of this table fixes nothing, so it is a factor graph but not a field.
  EXPECT_EQ(page["libDAI factor graphs"].size(), 1U);
  EXPECT_EQ(parse_fg(page["libDAI factor graphs"].at(0), "f").variables, 4U);
  EXPECT_THROW(model("libDAI factor graphs", "fg"), Error);
}

}  // namespace
}  // namespace surefield
