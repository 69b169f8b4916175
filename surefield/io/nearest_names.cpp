#include "surefield/io/nearest_names.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Whether the name holds every word of the text, in any order.
bool has_all_words(std::string_view text, const std::string& name) {
  bool any = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0 && name.find(text.substr(0, end)) == std::string::npos) return false;
    any = any || end > 0;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return any;
}

/// 0 the same, 1 begins so, 2 holds it or all its words, 2 + errors; nothing if it is not near.
std::optional<std::size_t> farness(const std::string& text, const std::string& name) {
  if (text == name) return 0;
  if (name.starts_with(text)) return 1;
  if (has_all_words(text, name)) return 2;
  const std::size_t limit = std::max<std::size_t>(1, text.size() / 3);
  const std::size_t errors = edit_distance(text, name, limit);
  return errors <= limit ? std::optional(2 + errors) : std::nullopt;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  const std::string from = lower_case(a), to = lower_case(b);
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      row[j] = std::min({last[j - 1] + (from[i - 1] != to[j - 1]), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return std::min(row.back(), limit + 1);
}

std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names,
                                       std::size_t most) {
  if (text.empty()) return {};
  const std::string wanted = lower_case(text);
  std::vector<std::pair<std::size_t, std::size_t>> near;  // how far, place
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto far = farness(wanted, lower_case(names[i]))) near.emplace_back(*far, i);
  std::ranges::sort(near);
  near.resize(std::min(near.size(), most));
  std::vector<std::string> found;
  for (const auto& [far, i] : near) found.push_back(names[i]);
  return found;
}

std::string did_you_mean(std::string_view text, std::span<const std::string> names) {
  const auto near = nearest_names(text, names);
  std::string out;
  for (std::size_t k = 0; k < near.size(); ++k) {
    out += k == 0 ? "; did you mean " : k + 1 < near.size() ? ", " : " or ";
    out.append(1, '\'').append(escaped(near[k], 200)).append(1, '\'');
  }
  return out.empty() ? out : out + "?";
}

}  // namespace surefield
