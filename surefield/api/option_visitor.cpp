#include "surefield/api/option_visitor.hpp"

namespace surefield {

std::string text_of(const OptionScope& scope) {
  std::vector<std::string> words = scope.choices;
  if (!scope.also.empty()) words.push_back(scope.also);
  std::string list;
  for (std::size_t k = 0; k < words.size(); ++k)
    list.append(k == 0 ? "" : k + 1 < words.size() ? ", " : " and ").append(words[k]);
  return list;
}

}  // namespace surefield
