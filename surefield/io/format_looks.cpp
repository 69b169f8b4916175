#include "surefield/io/format_looks.hpp"

#include <string>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

/// The lines that are neither blank nor comments, split into words.
class WordLines {
 public:
  explicit WordLines(std::string_view text) : lines_(text, {}) {}

  bool next() {
    while (lines_.next()) {
      if (lines_.line().empty() || lines_.line()[0] == '#') continue;
      words_.clear();
      std::string_view left = lines_.line();
      while (!left.empty()) {
        const auto end = std::min(left.size(), left.find_first_of(" \t"));
        words_.push_back(left.substr(0, end));
        left = trimmed(left.substr(end));
      }
      return true;
    }
    return false;
  }
  const std::vector<std::string_view>& words() const { return words_; }
  std::optional<std::uint64_t> whole(Index k) const {
    return k < words_.size() ? parse_whole(words_[k]) : std::nullopt;
  }

 private:
  Lines lines_;
  std::vector<std::string_view> words_;
};

std::string_view first_word(std::string_view text) {
  TextScanner scanner(text, {}, TextScanner::Comments::kLetterC);
  return scanner.at_end() ? std::string_view() : scanner.token({});
}

}  // namespace

bool looks_like_json(std::string_view text) {
  const std::string_view content =
      trimmed(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text);
  return content.starts_with('{') && trimmed(content.substr(1)).starts_with('"');
}

bool looks_like_uai(std::string_view text) {
  const auto word = first_word(text);
  return word == "MARKOV" || word == "BAYES";
}

bool looks_like_flid(std::string_view text) {
  WordLines lines(text);
  if (!lines.next() || lines.words().size() != 4) return false;
  const auto items = lines.whole(0);
  return items && lines.whole(1) &&
         (*items == 0 || (lines.next() && lines.words().size() == *items));
}

bool looks_like_fg(std::string_view text) {
  WordLines lines(text);
  if (!lines.next() || lines.words().size() != 1 || !lines.whole(0) || !lines.next()) return false;
  const auto variables = lines.whole(0);
  if (lines.words().size() != 1 || !variables || *variables == 0) return false;
  return lines.next() && lines.words().size() == *variables && lines.next() &&
         lines.words().size() == *variables;
}

bool looks_like_edges(std::string_view text) {
  WordLines lines(text);
  if (!lines.next() || lines.words().size() != 2) return false;
  const auto nodes = lines.whole(0);
  const auto edges = lines.whole(1);
  if (!nodes || !edges) return false;
  Index count = 0;
  while (lines.next()) {
    const auto words = lines.words().size();
    const auto from = lines.whole(0);
    if (words < 2 || words > 3 || !from || *from > *nodes || ++count > *edges) return false;
  }
  return count == *edges;
}

bool looks_like_set_cover(std::string_view text) {
  TextScanner scanner(text, {});
  try {
    const Index rows = scanner.count("rows", 2);
    const Index columns = scanner.count("columns", 2);
    for (Index i = 0; i < columns; ++i) scanner.number();
    for (Index r = 0; r < rows; ++r) {
      const Index size = scanner.count("columns", 2);
      for (Index k = 0; k < size; ++k) scanner.whole("a column", 1, columns);
    }
    return scanner.at_end();
  } catch (const Error&) {
    return false;
  }
}

bool looks_like_hyperedges(std::string_view text) {
  WordLines lines(text);
  if (!lines.next()) return false;
  if (lines.words().size() == 1 && lines.words()[0] == "nodes") return true;
  do {
    for (Index k = 0; k < lines.words().size(); ++k)
      if (!lines.whole(k)) return false;
  } while (lines.next());
  return true;
}

}  // namespace surefield
