// The options of a question, a JSON object whose names are the long options of the command line:
//
//   {"in": [3, "crib"], "beta": 2, "trace": true}      --in 3,crib --beta 2 --trace
//
// so what is asked on the page can be typed: a command shows its options (api/work.hpp), as it does to the command line. What
// nobody asks for is refused, as is a value of another kind and an option without effect: nothing is taken and then ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "surefield/api/option_visitor.hpp"
#include "surefield/core/number_rule.hpp"
#include "surefield/core/ordered_json.hpp"
#include "surefield/io/item_lookup.hpp"

namespace surefield::studio {

class Fields final : public OptionVisitor {
 public:
  /// Throws Error unless it is an object, or null.
  explicit Fields(const OrderedJson& options);

  void real(OptionName name, double& value, const NumberRule& rule,
            std::string_view about) override;
  void real(OptionName name, std::optional<double>& value, const NumberRule& rule,
            std::string_view about) override;
  void reals(OptionName name, std::vector<double>& values, const NumberRule& rule,
             std::string_view about) override;
  void whole(OptionName name, Index& value, const WholeRule& rule, std::string_view about) override;
  void whole(OptionName name, std::optional<Index>& value, const WholeRule& rule,
             std::string_view about) override;
  void wholes(OptionName name, std::vector<Index>& values, const WholeRule& rule,
              std::string_view about) override;
  void flag(OptionName name, bool& value, std::string_view about) override;
  void choice(OptionName name, std::string& value, std::vector<std::string> of,
              std::string_view about) override;
  void choices(OptionName name, std::vector<std::string>& values, std::vector<std::string> of,
               std::string_view about) override;

  std::uint64_t seed();
  /// Items, by name or by number from 0, each as the lookup finds it: by its name where numbers are names.
  std::vector<std::string> items(const std::string& name, const ItemLookup& lookup,
                                 const std::vector<std::string>& names);

  /// Throws Error, naming the command, for an option that was not asked for.
  void finish(std::string_view command) const;
  /// Throws Error for an option given that has no effect on the choice made.
  void refuse_outside_scope(std::span<const OptionScope> scopes, std::string_view what,
                            const std::string& chosen) const;
  /// Throws Error if `option` is given without `needed`.
  void refuse_without(const std::string& option, const std::string& needed) const;
  /// The names of the options given.
  const std::vector<std::string>& given() const { return given_; }
  bool has(std::string_view option) const;
  /// What was given, as one would type it, in the order it was asked for.
  const std::vector<std::string>& arguments() const { return arguments_; }

 private:
  const OrderedJson* take(std::string_view name);
  void type(std::string_view name, const std::string& value);
  std::vector<std::string> typed_list(std::string_view name,
                                      const std::function<std::string(const OrderedJson&)>& text);

  OrderedJson options_;
  std::vector<std::string> known_, given_, arguments_;
};

}  // namespace surefield::studio
