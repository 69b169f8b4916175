// The options of a question, a JSON object whose names are the long options of the command line:
//
//   {"in": [3, "crib"], "beta": 2, "trace": true}      --in 3,crib --beta 2 --trace
//
// so what is asked on the page can be typed. Each option is asked for once, with its range; what nobody asks for is refused,
// as is a value of another kind: nothing is taken and then ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "surefield/core/number_rule.hpp"
#include "surefield/io/item_lookup.hpp"

namespace surefield::studio {

using Json = nlohmann::ordered_json;

class Fields {
 public:
  /// Throws Error unless it is an object, or null.
  explicit Fields(const Json& options);

  std::optional<double> number(const std::string& name, const NumberRule& rule);
  std::optional<std::uint64_t> whole(const std::string& name, const WholeRule& rule);
  bool flag(const std::string& name);
  std::optional<std::string> word(const std::string& name, const std::vector<std::string>& allowed);
  /// Texts or numbers, as texts.
  std::vector<std::string> list(const std::string& name);
  /// Items, by name or by number from 0, each as the lookup finds it: by its name where numbers are names.
  std::vector<std::string> items(const std::string& name, const ItemLookup& lookup,
                                 const std::vector<std::string>& names);

  /// Throws Error, naming the command, for an option that was not asked for.
  void finish(std::string_view command) const;
  /// What was given, as one would type it, in the order it was asked for.
  const std::vector<std::string>& arguments() const { return arguments_; }

 private:
  const Json* take(const std::string& name);
  void type(const std::string& name, const std::string& value);
  std::vector<std::string> typed_list(const std::string& name,
                                      const std::function<std::string(const Json&)>& text);

  Json options_;
  std::vector<std::string> taken_, arguments_;
};

}  // namespace surefield::studio
