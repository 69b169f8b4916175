// The same 20 baskets written in many ways, by code that shares nothing with the readers.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace surefield::testing {

/// Twenty baskets of six items; the last but three is empty.
inline const std::vector<std::vector<int>>& twenty_baskets() {
  static const std::vector<std::vector<int>> baskets{
      {0, 1}, {0}, {1, 2, 3}, {4}, {0, 1, 2, 5}, {3, 4}, {5}, {2, 0}, {1, 4, 5}, {0, 3},
      {2},    {1}, {0, 5, 4}, {3}, {1, 0},       {2, 4}, {},  {0, 2}, {5, 1},    {4, 3, 2, 1}};
  return baskets;
}

using SixNames = std::array<std::string, 6>;

inline const SixNames kWords{"bread", "milk", "butter", "eggs", "jam", "tea"};
inline const SixNames kIds{"1", "2", "3", "4", "5", "6"};
inline const SixNames kBlanks{"rye bread", "whole milk", "butter", "brown eggs", "jam", "tea"};
inline const SixNames kAccents{"pain", "lait", "beurre", "œufs", "confiture", "thé"};
inline const SixNames kLatin{"pain", "lait", "crème", "gruyère", "confiture", "thé"};

struct BasketWay {
  std::string about;    ///< as in docs/baskets.md
  std::string text;     ///< of the file
  SixNames labels;      ///< that must be read
  std::string typed;    ///< options of the command line
  std::string refused;  ///< what the refusal names; empty if the file is read
};

/// One set a line; `quote` makes a field of a name.
inline std::string lines_of(const SixNames& names, const std::string& separator,
                            const std::string& empty = "\"\"", const std::string& end = "\n") {
  std::string text;
  for (const auto& basket : twenty_baskets()) {
    std::string line;
    for (const int item : basket)
      line += (line.empty() ? "" : separator) + names[static_cast<std::size_t>(item)];
    text += (basket.empty() ? empty : line) + end;
  }
  return text;
}

/// `order,item` lines; `row` makes one of the number of the basket and the name, "" if it is empty.
inline std::string long_of(const SixNames& names,
                           const std::function<std::string(int, const std::string&)>& row) {
  std::string text;
  int order = 1000;
  for (const auto& basket : twenty_baskets()) {
    ++order;
    if (basket.empty()) text += row(order, "") + "\n";
    for (const int item : basket) text += row(order, names[static_cast<std::size_t>(item)]) + "\n";
  }
  return text;
}

inline std::string matrix_of(const std::string& one, const std::string& zero, bool numbered) {
  std::string text;
  int order = 1000;
  for (const auto& basket : twenty_baskets()) {
    std::string line = numbered ? std::to_string(++order) : "";
    for (int item = 0; item < 6; ++item) {
      bool in = false;
      for (const int chosen : basket) in |= chosen == item;
      line += (line.empty() ? "" : ",") + (in ? one : zero);
    }
    text += line + "\n";
  }
  return text;
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Each name through `change`.
inline SixNames changed(SixNames names, const std::function<std::string(std::string)>& change) {
  for (auto& name : names) name = change(name);
  return names;
}

/// Every line filled up to four fields.
inline std::string padded(const std::string& lines) {
  std::string text;
  int commas = 0;
  for (const char c : lines) {
    if (c == ',') ++commas;
    if (c == '\n') {
      text.append(static_cast<std::size_t>(3 - commas), ',');
      commas = 0;
    }
    text += c;
  }
  return text;
}

/// The orders dealt out: the first items of all, then the second ones, and so on.
inline std::string dealt(const SixNames& names) {
  std::string text = "order,item\n";
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t b = 0; b < twenty_baskets().size(); ++b) {
      const auto& basket = twenty_baskets()[b];
      if (k == 0 && basket.empty()) text += "o" + std::to_string(b) + ",\n";
      if (k < basket.size())
        text += "o" + std::to_string(b) + "," + names[static_cast<std::size_t>(basket[k])] + "\n";
    }
  return text;
}

inline std::vector<BasketWay> basket_ways() {
  const auto quoted = [](const std::string& name) { return "\"" + name + "\""; };
  const SixNames comma{"bread, rye", "milk", "butter", "eggs, six", "jam", "tea"};
  const auto only_commas = [](const std::string& name) {
    return name.find(',') == std::string::npos ? name : "\"" + name + "\"";
  };
  const SixNames inches{"nails 5\"", "milk", "\"best\" butter", "eggs", "jam", "tea"};
  const SixNames marks{"bread;rye", "milk", "butter", "eggs;six", "jam", "tea"};
  const SixNames zero{"0", "1", "2", "3", "4", "5"};
  const SixNames ean{"0012345678905", "4006381333931", "0036000291452",
                     "5901234123457", "0075678164125", "9780201379624"};
  const SixNames far{"900001", "900002", "17", "900004", "5", "123456789012"};
  const auto latin = [](const std::string& text) {
    return replaced(replaced(text, "é", "\xE9"), "è", "\xE8");
  };
  const auto windows = [](const std::string& text) {
    return replaced(replaced(text, "é", "\xE9"), "œ", "\x9C");
  };
  const auto pair = [](const std::string& separator) {
    return [separator](int order, const std::string& item) {
      return std::to_string(order) + separator + item;
    };
  };
  const std::string words = lines_of(kWords, ",");
  const auto shop = [](int order, const std::string& item) {
    return "2024-01-0" + std::to_string(order % 9 + 1) + "," + std::to_string(order) + "," + item;
  };
  std::string numbered;
  {
    int order = 0;
    for (const char c : "\n" + words) {
      if (!numbered.empty() || c != '\n') numbered += c;
      if (c == '\n' && order < 20) numbered += std::to_string(1001 + order++) + ",";
    }
  }
  const std::string header = "bread,milk,butter,eggs,jam,tea\n";
  const auto wide = [](const std::string& ascii) {
    std::string text = "\xFF\xFE";
    for (const char c : ascii) text.append(1, c).append(1, '\0');
    return text;
  };
  return {
      {"commas", words, kWords, "", ""},
      {"commas with blanks around", lines_of(kWords, " , "), kWords, "", ""},
      {"semicolons", lines_of(kWords, ";"), kWords, "", ""},
      {"tabs", lines_of(kWords, "\t"), kWords, "", ""},
      {"pipes", lines_of(kWords, "|"), kWords, "", ""},
      {"numbers with blanks between", lines_of(kIds, " "), kIds, "", ""},
      {"numbers with blanks between, the empty basket left blank", lines_of(kIds, " ", ""), kIds,
       "--blank empty", ""},
      {"words with blanks between", lines_of(kWords, " "), kWords, "", "--separator"},
      {"the same", lines_of(kWords, " "), kWords, "--separator space", ""},
      {"names with blanks", lines_of(kBlanks, ","), kBlanks, "", ""},
      {"names with commas, in quotes", lines_of(changed(comma, only_commas), ","), comma, "", ""},
      {"names with quotes, doubled in quotes",
       lines_of(
           changed(inches,
                   [&](const std::string& name) { return quoted(replaced(name, "\"", "\"\"")); }),
           ","),
       inches, "", ""},
      {"every field in quotes, semicolons", lines_of(changed(comma, quoted), ";"), comma, "", ""},
      {"CRLF line ends", lines_of(kWords, ",", "\"\"", "\r\n"), kWords, "", ""},
      {"CR line ends", lines_of(kWords, ",", "\"\"", "\r"), kWords, "", ""},
      {"no last line end", words.substr(0, words.size() - 1), kWords, "", ""},
      {"a byte order mark", "\xEF\xBB\xBF" + words, kWords, "", ""},
      {"accents in UTF-8", lines_of(kAccents, ","), kAccents, "", ""},
      {"accents in ISO 8859-1", latin(lines_of(kLatin, ",")), kLatin, "", ""},
      {"accents in Windows-1252", windows(lines_of(kAccents, ",")), kAccents, "", "--encoding"},
      {"the same", windows(lines_of(kAccents, ",")), kAccents, "--encoding windows-1252", ""},
      {"UTF-16 with its mark, tabs", wide(lines_of(kWords, "\t")), kWords, "", ""},
      {"comment lines", "# from the till\n" + replaced(words, "jam\n", "jam\n# noon\n"), kWords, "",
       ""},
      {"filled up with commas", padded(words), kWords, "", ""},
      {"filled up, under item 1, item 2, ...", "Item 1,Item 2,Item 3,Item 4\n" + padded(words),
       kWords, "", ""},
      {"under the word items", "items\n" + words, kWords, "", "--header"},
      {"the same", "items\n" + words, kWords, "--header", ""},
      {"numbers under the word items", "items\n" + lines_of(kIds, ","), kIds, "", ""},
      {"names with semicolons, not in quotes", lines_of(marks, ","), marks, "", "--separator"},
      {"the same", lines_of(marks, ","), marks, "--separator comma", ""},
      {"numbers from 0", lines_of(zero, ","), zero, "", ""},
      {"article numbers", lines_of(far, ","), far, "", ""},
      {"EANs with leading zeros", lines_of(ean, ";"), ean, "", ""},
      {"the order's number first", numbered, kWords, "", "--form"},
      {"the empty basket as a blank line", lines_of(kWords, ",", ""), kWords, "--blank empty", ""},
      {"as `sample` writes",
       "# surefield sets: one set a line, separated by commas, \"\" is the empty set\n" + words,
       kWords, "", ""},
      {"order,item", "order,item\n" + long_of(kWords, pair(",")), kWords, "", ""},
      {"the same without a header", long_of(kWords, pair(",")), kWords, "", ""},
      {"under other words", "Bon;Artikel\n" + long_of(kWords, pair(";")), kWords, "", ""},
      {"orders and items are numbers", long_of(kIds, pair(",")), kIds, "", "--long"},
      {"the same", long_of(kIds, pair(",")), kIds, "--long 1,2", ""},
      {"orders that are not together", dealt(kWords), kWords, "", ""},
      {"among other columns",
       "InvoiceNo\tQuantity\tStockCode\tDescription\n" +
           long_of(kWords,
                   [](int order, const std::string& item) {
                     return std::to_string(order) + "\t1\t" + item + "\ta, b; c";
                   }),
       kWords, "", ""},
      {"among columns of other names", "Date,Member,Thing\n" + long_of(kWords, shop), kWords, "",
       "--long"},
      {"the same", "Date,Member,Thing\n" + long_of(kWords, shop), kWords, "--long Member,Thing",
       ""},
      {"0 and 1 under the items", header + matrix_of("1", "0", false), kWords, "", ""},
      {"True and False",
       replaced(header, ",", ";") + replaced(matrix_of("True", "False", false), ",", ";"), kWords,
       "", ""},
      {"0 and 1 behind the order's number", "order," + header + matrix_of("1", "0", true), kWords,
       "", ""},
      {"0 and 1 without names", matrix_of("1", "0", false), kIds, "", ""},
  };
}

}  // namespace surefield::testing
