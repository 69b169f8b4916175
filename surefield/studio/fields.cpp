#include "surefield/studio/fields.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield::studio {
namespace {

std::string shown(const OrderedJson& value) {
  std::string text = value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : between).append(word);
  return out;
}

double real_of(const OrderedJson& value, OptionName name, const NumberRule& rule) {
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  require(rule.allows(number), name.name, ": found ", shown(value), ", expected ", rule.words);
  return number;
}

Index whole_of(const OrderedJson& value, OptionName name, const WholeRule& rule) {
  const bool fits = value.is_number_unsigned() && rule.allows(value.get<std::uint64_t>());
  require(fits, name.name, ": found ", shown(value), ", expected ", words_of(rule));
  return value.get<Index>();
}

std::string choice_of(const OrderedJson& value, OptionName name,
                      const std::vector<std::string>& of) {
  const bool fits =
      value.is_string() && std::ranges::find(of, value.get<std::string>()) != of.end();
  require(fits, name.name, ": found ", shown(value), ", expected one of ", joined(of, ", "));
  return value.get<std::string>();
}

}  // namespace

Fields::Fields(const OrderedJson& options) : options_(options) {
  require(options.is_object() || options.is_null(), "options: found ", shown(options),
          ", expected an object");
}

const OrderedJson* Fields::take(std::string_view name) {
  known_.emplace_back(name);
  const auto found = options_.find(name);
  if (found == options_.end() || found->is_null()) return nullptr;
  given_.emplace_back(name);
  return &*found;
}

bool Fields::has(std::string_view option) const {
  return std::ranges::find(given_, option) != given_.end();
}

void Fields::type(std::string_view name, const std::string& value) {
  arguments_.push_back("--" + std::string(name));
  arguments_.push_back(value);
}

void Fields::real(OptionName name, std::optional<double>& value, const NumberRule& rule,
                  std::string_view) {
  const OrderedJson* const given = take(name.name);
  if (!given) return;
  value = real_of(*given, name, rule);
  type(name.name, message(*value));
}

void Fields::real(OptionName name, double& value, const NumberRule& rule, std::string_view about) {
  std::optional<double> given;
  real(name, given, rule, about);
  if (given) value = *given;
}

void Fields::reals(OptionName name, std::vector<double>& values, const NumberRule& rule,
                   std::string_view) {
  std::vector<double> found;
  typed_list(name.name, [&](const OrderedJson& one) {
    found.push_back(real_of(one, name, rule));
    return message(found.back());
  });
  if (has(name.name)) values = std::move(found);
}

void Fields::whole(OptionName name, std::optional<Index>& value, const WholeRule& rule,
                   std::string_view) {
  const OrderedJson* const given = take(name.name);
  if (!given) return;
  value = whole_of(*given, name, rule);
  type(name.name, message(*value));
}

void Fields::whole(OptionName name, Index& value, const WholeRule& rule, std::string_view about) {
  std::optional<Index> given;
  whole(name, given, rule, about);
  if (given) value = *given;
}

void Fields::wholes(OptionName name, std::vector<Index>& values, const WholeRule& rule,
                    std::string_view) {
  std::vector<Index> found;
  typed_list(name.name, [&](const OrderedJson& one) {
    found.push_back(whole_of(one, name, rule));
    return message(found.back());
  });
  if (has(name.name)) values = std::move(found);
}

void Fields::flag(OptionName name, bool& value, std::string_view) {
  const OrderedJson* const given = take(name.name);
  if (!given) return;
  require(given->is_boolean(), name.name, ": found ", shown(*given), ", expected true or false");
  value = given->get<bool>();
  if (value) arguments_.push_back("--" + std::string(name.name));
}

void Fields::choice(OptionName name, std::string& value, std::vector<std::string> of,
                    std::string_view) {
  const OrderedJson* const given = take(name.name);
  if (!given) return;
  value = choice_of(*given, name, of);
  type(name.name, value);
}

void Fields::choices(OptionName name, std::vector<std::string>& values, std::vector<std::string> of,
                     std::string_view) {
  std::vector<std::string> found =
      typed_list(name.name, [&](const OrderedJson& one) { return choice_of(one, name, of); });
  if (has(name.name)) values = std::move(found);
}

std::uint64_t Fields::seed() {
  Index seed = 1;
  whole("seed", seed, kAnySeed, "");
  return seed;
}

std::vector<std::string> Fields::items(const std::string& name, const ItemLookup& lookup,
                                       const std::vector<std::string>& names) {
  return typed_list(name, [&](const OrderedJson& one) {
    require(one.is_string() || one.is_number_unsigned(), name, ": found ", shown(one),
            ", expected a name or a number from 0");
    if (one.is_string()) return one.get<std::string>();
    const std::string number = message(one.get<std::uint64_t>());
    const bool is_name = !names.empty() && one.get<std::uint64_t>() < names.size() &&
                         lookup.find(number) != one.get<Index>();
    return is_name ? names[one.get<Index>()] : number;
  });
}

std::vector<std::string> Fields::typed_list(
    std::string_view name, const std::function<std::string(const OrderedJson&)>& text) {
  const OrderedJson* const value = take(name);
  std::vector<std::string> words;
  if (!value) return words;
  require(value->is_array(), name, ": found ", shown(*value), ", expected a list");
  for (const OrderedJson& one : *value) words.push_back(text(one));
  if (!words.empty()) type(name, joined(words, ","));
  return words;
}

void Fields::finish(std::string_view command) const {
  for (const auto& [name, value] : options_.items())
    require(std::ranges::find(known_, name) != known_.end(), command, ": there is no option '",
            name, "' here; there are ", joined(known_, ", "));
}

void Fields::refuse_outside_scope(std::span<const OptionScope> scopes, std::string_view what,
                                  const std::string& chosen) const {
  surefield::refuse_outside_scope(given_, scopes, what, chosen,
                                  [](const std::string& option) { return option; });
}

void Fields::refuse_without(const std::string& option, const std::string& needed) const {
  require(!has(option) || has(needed), option, ": it has no effect without ", needed);
}

}  // namespace surefield::studio
