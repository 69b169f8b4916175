// Every reader on damaged files: it throws Error or returns something valid. It never crashes,
// hangs or takes memory the file cannot account for, and what it accepts it can write and read
// again.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <functional>

#include "surefield/core/error.hpp"
#include "surefield/io/box_file.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/json_model.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/io/uai_results.hpp"
#include "tests/support/random_any_model.hpp"

namespace surefield {
namespace {

struct Reader {
  std::string name;
  std::string text;
  std::function<std::string(std::string_view)>
      canonical;  ///< reads and says what was read, as text
};

/// A model read in that format, as JSON, checked on the way: valid values, and JSON that reads back
/// to the same.
std::string canonical_model(std::string_view text, const ReadOptions& options) {
  const ModelFile file = parse_model(text, "f", options);
  const Index n = size_of(file.model);
  EXPECT_EQ(file.box.size(), n);
  EXPECT_TRUE(file.items.empty() || file.items.size() == n);
  std::vector<std::uint8_t> chosen(n);
  for (Index i = 0; i < n; ++i) chosen[i] = file.box.low[i] > 0;
  EXPECT_TRUE(std::isfinite(evaluate(file.model, chosen))) << text;
  std::string json;
  try {
    json = json_model_text(file);
  } catch (const Error&) {  // node names that are not UTF-8
    return "";
  }
  EXPECT_TRUE(n > 1000 || testing::same(parse_json_model(json, "f").model, file.model)) << text;
  return json;
}

Reader model_reader(std::string format, std::string text,
                    EdgeMeaning meaning = EdgeMeaning::kQuadratic) {
  return {format, std::move(text), [format, meaning](std::string_view damaged) {
            ReadOptions options{.format = format};
            if (format == "edges") options.meaning = meaning;
            return canonical_model(damaged, options);
          }};
}

std::string json_of(const std::string& kind, const std::string& members) {
  return "{\n\"surefield\": \"1\", \"kind\": \"" + kind +
         "\",\n\"items\": [\"a\", \"b\", \"c\"],\n"
         "\"box\": {\"low\": [0, 0.5, 0], \"high\": [1, 1, 0]}, " +
         members + "}\n";
}

std::vector<Reader> readers() {
  std::vector<Reader> list;
  list.push_back(model_reader(
      "uai",
      "MARKOV\nc note\n3\n2 2 2\n3\n1 0\n2 0 2\n2 1 2\n2 0.5 0.25\n4 1 2 3 4\n4 1 1 2 0.5\n"));
  list.push_back(model_reader(
      "fg", "# note\n2\n\n2\n0 2\n2 2\n4\n0 0.5\n1 2\n2 1.5\n3 1\n\n1\n1\n2\n2\n0 1\n1 3\n"));
  list.push_back(model_reader("flid", "3 2 -1.5 0.25\n0.5 -1 2\n1 0\n0.5 3\n0 0.25\n"));
  list.push_back(model_reader("edges", "4 4\n1 2 5\n2 3 -1.5\n2 2 3\n3 4 1e2\n"));
  list.push_back(model_reader("edges", "4 3\n1 2\n2 3\n3 4\n", EdgeMeaning::kDirectedCut));
  list.push_back(model_reader("set-cover", " 2 3 \n 1 2 2.5 \n 2\n 1 3\n 1\n 2\n"));
  list.push_back(model_reader("steiner", "4 2\n1 2 3\n2 3 4\n"));
  list.push_back(
      model_reader("hyperedges", "nodes\na\nb c\n7\nedges\n{'a', 'b c'}\n{'7', \"a\"}\n"));
  list.push_back(model_reader("hyperedges", "1 2\n2 3 4\n"));
  list.push_back(model_reader(
      "json", json_of("flid", "\"utility\": [0.5, -1, 2], \"weights\": [[1, 2], [0, 1], [3, 0]]")));
  list.push_back(model_reader(
      "json",
      json_of("facility-location",
              "\"cost\": [1, 2, 3], \"customers\": [{\"items\": [0, 2], \"benefit\": [1, 2.5]}]")));
  list.push_back(model_reader("json", json_of("coverage",
                                              "\"cost\": [1, 2, 3], \"concepts\": [{\"weight\": 2, "
                                              "\"items\": [0, 2], \"probability\": [1, 0.5]}]")));
  list.push_back(
      model_reader("json", json_of("gibbs",
                                   "\"constant\": 1, \"bias\": [1, 2, 3], \"terms\": "
                                   "[{\"variables\": [0, 1, 2], \"coefficient\": -1}]")));
  list.push_back(model_reader("json", json_of("hypergraph-cut",
                                              "\"bias\": [1, 2, 3], \"hyperedges\": [{\"weight\": "
                                              "1, \"tail\": [0], \"head\": [1, 2]}]")));
  list.push_back(model_reader(
      "json",
      json_of("concave-over-modular",
              "\"modular\": [1, 2, 3], \"groups\": [{\"weight\": 1, \"shape\": \"truncated\", "
              "\"parameter\": 2, \"items\": [0, 1], \"weights\": [1, 2]}]")));
  list.push_back(model_reader(
      "json",
      json_of("log-det", "\"kernel\": [[2, 1, 0], [1, 2, 0.5], [0, 0.5, 3]], \"seed\": 7")));
  list.push_back(
      model_reader("json", json_of("sum",
                                   "\"terms\": [{\"weight\": 2, \"model\": {\"kind\": \"cut\", "
                                   "\"bias\": [1, 2, 3], \"edges\": [[0, 1, 2]]}}]")));
  list.push_back({"sets", "1,2,3\n2\n3,1\n", [](std::string_view text) {
                    const auto read =
                        parse_sets(text, "f", {.blank_lines = SetsOptions::Blank::kEmptySet});
                    for (const auto& set : read.sets)
                      for (const auto i : set) EXPECT_LT(i, read.items);
                    return message(read.items, " ", sets_text(read));
                  }});
  list.push_back({"named sets", "a,\"b, c\"\n\"b, c\",d e\n", [](std::string_view text) {
                    const auto read = parse_sets(text, "f");
                    for (const auto& set : read.sets)
                      for (const auto i : set) EXPECT_LT(i, read.items);
                    return message(read.items, " ", sets_text(read));
                  }});
  list.push_back(
      {"names", "1 toys: Ramp\n2 toys: Sea Squirts\n3 Swing\n",
       [](std::string_view text) { return item_names_text(parse_item_names(text, "f")); }});
  list.push_back({"box", "# in and out\n1 1 1\nb c 0 0.5\n", [](std::string_view text) {
                    const std::vector<std::string> names{"a", "b c", "d"};
                    const Box box = parse_box(text, "f", 3, ItemLookup(3, 1, names));
                    require_inside_unit(box, 3);
                    return box_text(box, names, 1);
                  }});
  list.push_back({"evidence", "1\n2 3 1 0 0\n", [](std::string_view text) {
                    return uai_evidence_text(parse_uai_evidence(text, "f", 5));
                  }});
  list.push_back({"PR", "PR\n-23.5\n", [](std::string_view text) {
                    return uai_log_z_text(parse_uai_log_z(text, "f"));
                  }});
  list.push_back({"MAR", "MAR\n2 2 0.25 0.75 2 1 0\n", [](std::string_view text) {
                    return uai_marginals_text(parse_uai_marginals(text, "f"));
                  }});
  return list;
}

constexpr std::string_view kRefused = "(refused)";

/// What was read, or that it was refused; anything but Error escapes and fails the test.
std::string outcome(const Reader& reader, std::string_view text) {
  try {
    return reader.canonical(text);
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos)
        << "one line: " << error.what();
    return std::string(kRefused);
  }
}

std::string damaged(std::string text, Random& random) {
  using namespace std::string_literals;
  static const std::vector<std::string> kEvil{"nan",
                                              "inf",
                                              "-inf",
                                              "-1",
                                              "1e999",
                                              "1e-999",
                                              "99999999999999999999999",
                                              "18446744073709551615",
                                              "4294967296",
                                              "1000000",
                                              "1000000000",
                                              "0",
                                              "\0"s,
                                              "\xff\xfe",
                                              "{",
                                              "}",
                                              "[",
                                              "]",
                                              "'",
                                              "\"",
                                              ",",
                                              "#",
                                              "c",
                                              "\n",
                                              "\r",
                                              " ",
                                              "1e308",
                                              "-0"};
  for (std::uint64_t k = 0; k <= random.below(3); ++k) {
    const auto at = random.below(text.size() + 1);
    const auto length = random.below(std::min<std::uint64_t>(6, text.size() - at + 1));
    switch (random.below(5)) {
      case 0:
        text.replace(at, length, kEvil[random.below(kEvil.size())]);
        break;
      case 1:
        text.insert(at, kEvil[random.below(kEvil.size())]);
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(random.below(text.size() + 1), random.below(12)));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random.bits());
    }
  }
  return text;
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST(Fuzz, EverySampleIsReadAndItsLineEndsDoNotMatter) {
  for (const Reader& reader : readers()) {
    const std::string read = outcome(reader, reader.text);
    EXPECT_NE(read, kRefused) << reader.name;
    std::string windows;
    for (const char c : reader.text) windows.append(c == '\n' ? "\r\n" : std::string(1, c));
    EXPECT_EQ(outcome(reader, windows), read) << reader.name << ": CRLF";
    EXPECT_EQ(outcome(reader, reader.text.substr(0, reader.text.size() - 1)), read)
        << reader.name << ": no last line end";
    EXPECT_EQ(outcome(reader, "\xEF\xBB\xBF" + reader.text), read)
        << reader.name << ": byte order mark";
  }
}

TEST(Fuzz, EveryTruncationIsRefusedOrValid) {
  Index refused = 0;
  Index all = 0;
  for (const Reader& reader : readers())
    for (Index length = 0; length < reader.text.size(); ++length, ++all)
      refused += outcome(reader, std::string_view(reader.text).substr(0, length)) == kRefused;
  EXPECT_GT(refused, all * 3 / 4) << "most cuts leave something that is no file of its kind";
}

TEST(Fuzz, DamageIsRefusedOrValid) {
  const long before = peak_megabytes();
  Index accepted = 0;
  for (const Reader& reader : readers())
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      Random random(seed);
      accepted += outcome(reader, damaged(reader.text, random)) != kRefused;
    }
  EXPECT_GT(accepted, 500U) << "damage that is always refused tests nothing beyond the first check";
  EXPECT_LT(peak_megabytes() - before, 1000) << "megabytes";
}

TEST(Fuzz, GarbageIsRefusedOrValid) {
  for (const Reader& reader : readers())
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed);
      std::string garbage(random.below(300), '\0');
      for (char& c : garbage) c = static_cast<char>(random.bits());
      outcome(reader, garbage);
    }
}

TEST(Fuzz, HugeCountsAreRefusedBeforeAnythingIsAllocated) {
  const long before = peak_megabytes();
  for (const Reader& reader : readers())
    for (const std::string_view huge :
         {"4000000000", "18446744073709551615", "99999999999999999999999999"})
      for (Index at = 0; at < reader.text.size(); ++at) {
        if (std::isdigit(static_cast<unsigned char>(reader.text[at])) == 0) continue;
        outcome(reader, std::string(reader.text).replace(at, 1, huge));
      }
  EXPECT_LT(peak_megabytes() - before, 200) << "megabytes";
}

TEST(Fuzz, AFormatGuessedFromDamagedContentIsRefusedOrValid) {
  for (const Reader& reader : readers())
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Random random(seed);
      const Reader guess{reader.name, "",
                         [](std::string_view text) { return canonical_model(text, {}); }};
      outcome(guess, damaged(reader.text, random));
    }
}

}  // namespace
}  // namespace surefield
