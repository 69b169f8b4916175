#include "surefield/io/sets_file.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>

#include "surefield/core/error.hpp"
#include "surefield/core/sets_text.hpp"
#include "surefield/io/csv_items.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

using Items = SetsOptions::Items;
using Blank = SetsOptions::Blank;

bool starts_with_number(std::string_view text) {
  const std::string_view content =
      trimmed(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text);
  const std::string_view first = trimmed(content.substr(0, content.find_first_of(" \t\r\n,")));
  return content.empty() || parse_number(first).expected != "a number";
}

/// Turns fields into items in one of three ways: by a known list, by id as great as it comes, by
/// name as it appears.
class FieldReader {
 public:
  FieldReader(const SetsOptions& options, Items items_are, Index bytes)
      : options_(options),
        items_are_(items_are),
        most_(std::min<Index>(bytes + kFreeCount, UINT32_MAX)) {
    const Index items = options.names.empty() ? options.items : options.names.size();
    if (items > 0)
      lookup_.emplace(items, options.first_id,
                      items_are == Items::kIds ? std::span<const std::string>() : options.names);
    count_ = items;
  }

  bool is_known_list() const { return lookup_.has_value(); }
  Index count() const { return count_; }

  /// Nothing if the item is unknown.
  std::optional<std::uint32_t> item(const std::string& field, const Lines& at) {
    if (items_are_ == Items::kIds) {
      const auto id = parse_whole(field);
      if (!id || (*id < options_.first_id && !lookup_)) refuse(field, at);
      if (!lookup_) {
        const Index i = *id - options_.first_id;
        if (i >= most_)
          at.fail_here("found '", *id, "', but a file of this size may have at most ", most_,
                       " items");
        count_ = std::max(count_, i + 1);
        return static_cast<std::uint32_t>(i);
      }
    }
    if (!lookup_) {
      const auto [place, added] = seen_.emplace(field, static_cast<std::uint32_t>(count_));
      if (added) ++count_;
      return place->second;
    }
    const auto found = lookup_->find(field);
    if (!found && options_.unknown == OddInput::kRefuse) refuse(field, at);
    return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
  }

  std::vector<std::string> names() const {
    if (!options_.names.empty()) return options_.names;
    std::vector<std::string> names(seen_.size());
    for (const auto& [name, i] : seen_) names[i] = name;
    return names;
  }

 private:
  [[noreturn]] void refuse(const std::string& field, const Lines& at) const {
    at.fail_here("found ", in_quotes(field), ", expected ",
                 lookup_ ? lookup_->expected()
                         : message("an item id, a whole number from ", options_.first_id));
  }

  const SetsOptions& options_;
  Items items_are_;
  Index most_;
  Index count_ = 0;
  std::optional<ItemLookup> lookup_;
  std::unordered_map<std::string, std::uint32_t> seen_;
};

/// Ids may be separated by blanks too.
std::vector<std::string> split_ids(const std::vector<std::string>& fields) {
  std::vector<std::string> ids;
  for (std::string_view left : fields)
    while (!left.empty()) {
      const auto end = std::min(left.size(), left.find_first_of(" \t"));
      ids.emplace_back(left.substr(0, end));
      left = trimmed(left.substr(end));
    }
  return ids;
}

}  // namespace

SetCollection parse_sets(std::string_view text, std::string_view name, const SetsOptions& options) {
  require(options.first_id <= 1, "sets: the first id is ", options.first_id,
          ", which must be 0 or 1");
  require(options.names.empty() || options.items == 0 || options.items == options.names.size(),
          "sets: there are ", options.names.size(), " names, but ", options.items, " items");
  Items items_are = options.items_are;
  if (items_are == Items::kGuess && options.names.empty())
    items_are = starts_with_number(text) ? Items::kIds : Items::kNames;

  SetCollection result;
  FieldReader reader(options, items_are, text.size());
  std::vector<Index> last_set_with;  // per item: the number of the last set that holds it
  Lines lines(text, name);
  while (lines.next()) {
    if (lines.line().empty()) {
      if (options.blank_lines == Blank::kRefuse)
        lines.fail_here("the line is blank, expected a set of items");
      ++result.blank_lines;
      if (options.blank_lines == Blank::kEmptySet) result.sets.emplace_back();
      continue;
    }
    if (lines.line().front() == '#') continue;
    if (lines.line() == "\"\"") {
      result.sets.emplace_back();
      continue;
    }
    auto fields = csv_items(lines);
    if (items_are == Items::kIds) fields = split_ids(fields);
    auto& set = result.sets.emplace_back();
    for (const std::string& field : fields) {
      const auto item = reader.item(field, lines);
      if (!item) {
        ++result.unknown_items;
        continue;
      }
      if (*item >= last_set_with.size()) last_set_with.resize(*item + 1, 0);
      if (last_set_with[*item] == result.sets.size()) {
        if (options.repeated == OddInput::kRefuse)
          lines.fail_here("item ", in_quotes(field), " is there twice, expected each item once");
        ++result.repeated_items;
        continue;
      }
      last_set_with[*item] = result.sets.size();
      set.push_back(*item);
    }
  }
  result.items = reader.count();
  result.names = reader.names();
  return result;
}

SetCollection read_sets(const std::string& path, const SetsOptions& options) {
  return parse_sets(read_file(path), path, options);
}

std::string sets_text(const SetCollection& collection, Index first_id) {
  std::vector<std::string> fields;
  for (const auto& name : collection.names) {
    require(!name.empty(), "sets: the name of item ", fields.size() + first_id, " is empty");
    fields.push_back(set_field(name));
  }
  std::string text;
  for (const auto& set : collection.sets)
    append_set(text, set, [&](std::uint32_t item) {
      return fields.empty() ? std::to_string(item + first_id) : fields.at(item);
    });
  return text;
}

}  // namespace surefield
