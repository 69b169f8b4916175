#include "surefield/io/items_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <unordered_set>

#include "surefield/core/error.hpp"
#include "surefield/core/sets_text.hpp"
#include "surefield/io/csv_items.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"
#include "surefield/io/utf8.hpp"

namespace surefield {
namespace {

constexpr std::string_view kHashMark = ", text ";

std::string hash_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001B3U;
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string items_path(const std::string& model_path) { return model_path + ".items.csv"; }

std::string items_text(const std::vector<std::string>& items, std::string_view model_path,
                       std::string_view model_text) {
  const std::string_view file = model_path.substr(model_path.find_last_of('/') + 1);
  std::string text =
      message("# the items of ", file, kHashMark, hash_text(model_text), "\nindex,item\n");
  for (Index i = 0; i < items.size(); ++i)
    text.append(std::to_string(i)).append(",").append(set_field(items[i])).append("\n");
  return text;
}

std::vector<std::string> parse_items(std::string_view text, std::string_view name,
                                     std::string_view model_text, Index items) {
  std::vector<std::string> labels;
  std::unordered_set<std::string> met;
  Lines lines(text, name);
  bool header = true;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      const auto mark = line.rfind(kHashMark);
      if (lines.number() == 1 && mark != std::string_view::npos &&
          line.substr(mark + kHashMark.size()) != hash_text(model_text))
        lines.fail_here(
            "these are the labels of another model of that name; write the model again with its "
            "labels, or delete this file");
      continue;
    }
    const auto fields = csv_items(lines);
    if (header && fields == std::vector<std::string>{"index", "item"}) {
      header = false;
      continue;
    }
    header = false;
    if (fields.size() != 2 || parse_whole(fields[0]) != labels.size())
      lines.fail_here("found ", in_quotes(line), ", expected ", labels.size(), ",LABEL");
    if (!is_utf8(fields[1]))
      lines.fail_here("found ", in_quotes(fields[1]), ", which is not UTF-8");
    if (!met.insert(fields[1]).second)
      lines.fail_here("the label ", in_quotes(fields[1]), " is there twice");
    labels.push_back(fields[1]);
  }
  require(labels.size() == items, name, ": it names ", labels.size(), " items, the model has ",
          items);
  return labels;
}

std::optional<std::vector<std::string>> read_items_beside(const std::string& model_path,
                                                          std::string_view model_text,
                                                          Index items) {
  const std::string path = items_path(model_path);
  std::error_code ignored;
  if (model_path == "-" || !std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return parse_items(read_file(path), path, model_text, items);
}

}  // namespace surefield
