#include "surefield/studio/fields.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield::studio {
namespace {

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : between).append(word);
  return out;
}

}  // namespace

Fields::Fields(const Json& options) : options_(options) {
  require(options.is_object() || options.is_null(), "options: found ", shown(options),
          ", expected an object");
}

const Json* Fields::take(const std::string& name) {
  taken_.push_back(name);
  const auto found = options_.find(name);
  return found == options_.end() || found->is_null() ? nullptr : &*found;
}

void Fields::type(const std::string& name, const std::string& value) {
  arguments_.push_back("--" + name);
  arguments_.push_back(value);
}

std::optional<double> Fields::number(const std::string& name, const NumberRule& rule) {
  const Json* const value = take(name);
  if (!value) return std::nullopt;
  const double number = value->is_number() ? value->get<double>() : std::nan("");
  require(rule.allows(number), name, ": found ", shown(*value), ", expected ", rule.words);
  type(name, message(number));
  return number;
}

std::optional<std::uint64_t> Fields::whole(const std::string& name, const WholeRule& rule) {
  const Json* const value = take(name);
  if (!value) return std::nullopt;
  const bool fits = value->is_number_unsigned() && rule.allows(value->get<std::uint64_t>());
  require(fits, name, ": found ", shown(*value), ", expected ", words_of(rule));
  type(name, message(value->get<std::uint64_t>()));
  return value->get<std::uint64_t>();
}

bool Fields::flag(const std::string& name) {
  const Json* const value = take(name);
  if (!value) return false;
  require(value->is_boolean(), name, ": found ", shown(*value), ", expected true or false");
  if (value->get<bool>()) arguments_.push_back("--" + name);
  return value->get<bool>();
}

std::optional<std::string> Fields::word(const std::string& name,
                                        const std::vector<std::string>& allowed) {
  const Json* const value = take(name);
  if (!value) return std::nullopt;
  const bool fits =
      value->is_string() && std::ranges::find(allowed, value->get<std::string>()) != allowed.end();
  require(fits, name, ": found ", shown(*value), ", expected one of ", joined(allowed, ", "));
  type(name, value->get<std::string>());
  return value->get<std::string>();
}

std::vector<std::string> Fields::list(const std::string& name) {
  return typed_list(name, [&](const Json& one) {
    require(one.is_string() || one.is_number(), name, ": found ", shown(one),
            ", expected a name or a number");
    return one.is_string() ? one.get<std::string>() : shown(one);
  });
}

std::vector<std::string> Fields::items(const std::string& name, const ItemLookup& lookup,
                                       const std::vector<std::string>& names) {
  return typed_list(name, [&](const Json& one) {
    require(one.is_string() || one.is_number_unsigned(), name, ": found ", shown(one),
            ", expected a name or a number from 0");
    if (one.is_string()) return one.get<std::string>();
    const std::string number = message(one.get<std::uint64_t>());
    const bool is_name = !names.empty() && one.get<std::uint64_t>() < names.size() &&
                         lookup.find(number) != one.get<Index>();
    return is_name ? names[one.get<Index>()] : number;
  });
}

std::vector<std::string> Fields::typed_list(const std::string& name,
                                            const std::function<std::string(const Json&)>& text) {
  const Json* const value = take(name);
  std::vector<std::string> words;
  if (!value) return words;
  require(value->is_array(), name, ": found ", shown(*value), ", expected a list");
  for (const Json& one : *value) words.push_back(text(one));
  if (!words.empty()) type(name, joined(words, ","));
  return words;
}

void Fields::finish(std::string_view command) const {
  for (const auto& [name, value] : options_.items())
    require(std::ranges::find(taken_, name) != taken_.end(), command, ": there is no option '",
            name, "' here; there are ", joined(taken_, ", "));
}

}  // namespace surefield::studio
