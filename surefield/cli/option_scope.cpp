#include "surefield/cli/option_scope.hpp"

#include <algorithm>

#include "surefield/core/error.hpp"

namespace surefield::cli {
namespace {

/// "bscb and bscb-multiepoch", "a, b and any with --polish".
std::string joined(const OptionScope& scope) {
  std::vector<std::string> words = scope.choices;
  if (!scope.also.empty()) words.push_back(scope.also);
  std::string list;
  for (std::size_t k = 0; k < words.size(); ++k)
    list += (k == 0 ? "" : k + 1 < words.size() ? ", " : " and ") + words[k];
  return list;
}

}  // namespace

void refuse_outside_scope(const CLI::App& command, std::span<const OptionScope> scopes,
                          std::string_view what, const std::string& chosen) {
  for (const OptionScope& scope : scopes)
    require(command.get_option(scope.option)->count() == 0 ||
                std::ranges::find(scope.choices, chosen) != scope.choices.end(),
            scope.option, ": the ", what, " is ", chosen, ", but this option is for ",
            joined(scope));
}

void refuse_without(const CLI::App& command, const std::string& option, const std::string& needed) {
  require(command.get_option(option)->count() == 0 || command.get_option(needed)->count() > 0,
          option, ": it has no effect without ", needed);
}

}  // namespace surefield::cli
