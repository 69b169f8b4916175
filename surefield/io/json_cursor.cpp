#include "surefield/io/json_cursor.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

using SortedJson = nlohmann::json;

std::string shown(const SortedJson& value) {
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  if (value.is_number_float()) return message(value.get<double>());
  return value.dump();
}

Index line_of(std::string_view text, Index byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min<Index>(byte, text.size()));
  return static_cast<Index>(1 + std::count(text.begin(), end, '\n'));
}

}  // namespace

JsonCursor JsonCursor::at(std::string_view key) const& {
  const auto found = find(key);
  if (!found) fail_here("has no ", in_quotes(key));
  return *found;
}

std::optional<JsonCursor> JsonCursor::find(std::string_view key) const& {
  if (!value_->is_object()) refuse("an object");
  const auto place = value_->find(key);
  if (place == value_->end()) return std::nullopt;
  return JsonCursor(*place, *this, place.key(), 0);
}

JsonCursor JsonCursor::element(Index i) const& { return {(*value_)[i], *this, {}, i}; }

bool JsonCursor::is_array() const { return value_->is_array(); }
bool JsonCursor::is_text() const { return value_->is_string(); }

Index JsonCursor::size() const {
  if (!value_->is_array()) refuse("an array");
  return value_->size();
}

double JsonCursor::number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) refuse("a finite number");
  return value_->get<double>();
}

std::uint64_t JsonCursor::whole(std::uint64_t low, std::uint64_t high) const {
  const bool valid = value_->is_number_unsigned() && value_->get<std::uint64_t>() >= low &&
                     value_->get<std::uint64_t>() <= high;
  if (!valid)
    refuse(high == UINT64_MAX ? message("a whole number from ", low)
                              : message("a whole number from ", low, " to ", high));
  return value_->get<std::uint64_t>();
}

std::uint32_t JsonCursor::index(Index count, std::string_view what) const {
  if (count == 0) fail_here("is ", shown(*value_), ", but there are no ", what);
  return static_cast<std::uint32_t>(whole(0, count - 1));
}

bool JsonCursor::truth() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

const std::string& JsonCursor::text() const {
  if (!value_->is_string()) refuse("a text");
  return value_->get_ref<const std::string&>();
}

std::vector<double> JsonCursor::numbers() const {
  std::vector<double> result(size());
  for (Index i = 0; i < result.size(); ++i) result[i] = element(i).number();
  return result;
}

std::vector<std::uint32_t> JsonCursor::indices(Index count, std::string_view what) const {
  std::vector<std::uint32_t> result(size());
  for (Index i = 0; i < result.size(); ++i) result[i] = element(i).index(count, what);
  return result;
}

void JsonCursor::allow_only(std::initializer_list<std::string_view> keys,
                            std::span<const std::string_view> more) const {
  if (!value_->is_object()) refuse("an object");
  std::vector<std::string_view> known(keys);
  known.insert(known.end(), more.begin(), more.end());
  for (auto member = value_->begin(); member != value_->end(); ++member) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    std::string list;
    for (const auto key : known) list.append(list.empty() ? "" : ", ").append(key);
    fail_here("has the unknown key ", in_quotes(member.key()), ", known are: ", list);
  }
}

std::string JsonCursor::path() const {
  if (is_top()) return "/";
  const std::string above = parent_->is_top() ? "" : parent_->path();
  return above + "/" + (key_.data() == nullptr ? message(index_) : escaped(key_, 40));
}

void JsonCursor::refuse(std::string_view rule) const {
  fail_here("is ", shown(*value_), ", which must be ", rule);
}

namespace {

/// Builds the document and refuses a key that is twice in one object. Not the callback of parse(),
/// which looks at all siblings again after every object: quadratic in their number.
class UniqueKeys : public nlohmann::detail::json_sax_dom_parser<SortedJson> {
 public:
  using Base = nlohmann::detail::json_sax_dom_parser<SortedJson>;
  UniqueKeys(SortedJson& document, std::string_view name) : Base(document), name_(name) {}

  bool start_object(std::size_t elements) {
    keys_.emplace_back();
    return Base::start_object(elements);
  }
  bool end_object() {
    keys_.pop_back();
    return Base::end_object();
  }
  bool key(std::string& key) {
    require(keys_.back().insert(key).second, name_, ": the key ", in_quotes(key),
            " is twice in one object");
    return Base::key(key);
  }

 private:
  std::string_view name_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

}  // namespace

SortedJson parse_json(std::string_view text, std::string_view name) {
  try {
    SortedJson document;
    UniqueKeys reader(document, name);
    SortedJson::sax_parse(text, &reader);
    return document;
  } catch (const SortedJson::parse_error& error) {
    const std::string_view what = error.what();
    const auto reason = what.rfind(" - ");
    fail(name, ":", line_of(text, error.byte == 0 ? 0 : error.byte - 1), ": found no JSON: ",
         escaped(reason == std::string_view::npos ? what : what.substr(reason + 3), 200));
  } catch (const SortedJson::out_of_range& error) {  // a number no double can hold
    const std::string_view what = error.what();
    const auto open = what.find('\'');
    const std::string_view token = what.substr(open + 1, what.rfind('\'') - open - 1);
    fail(name, ":", line_of(text, text.find(token)), ": found ", in_quotes(token),
         ", expected a number that fits a double");
  }
}

}  // namespace surefield
