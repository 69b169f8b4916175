#include "surefield/api/option_visitor.hpp"

#include <algorithm>

#include "surefield/core/error.hpp"

namespace surefield {

namespace {

/// "continuous", "bscb and bscb-multiepoch", "a, b and any with --polish".
std::string text_of(const OptionScope& scope) {
  std::vector<std::string> words = scope.choices;
  if (!scope.also.empty()) words.push_back(scope.also);
  std::string list;
  for (std::size_t k = 0; k < words.size(); ++k)
    list.append(k == 0 ? "" : k + 1 < words.size() ? ", " : " and ").append(words[k]);
  return list;
}

}  // namespace

void refuse_outside_scope(std::span<const std::string> given, std::span<const OptionScope> scopes,
                          std::string_view what, const std::string& chosen,
                          const std::function<std::string(const std::string&)>& spelled) {
  for (const OptionScope& scope : scopes)
    require(std::ranges::find(given, scope.option) == given.end() ||
                std::ranges::find(scope.choices, chosen) != scope.choices.end(),
            spelled(scope.option), ": the ", what, " is ", chosen, ", but this option is for ",
            text_of(scope));
}

}  // namespace surefield
