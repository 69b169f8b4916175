// The options of a piece of work, shown one by one to whoever asks for them by name: the command line makes a flag of
// each, Python a keyword. What an option is called, takes and means is said once, in api/work.cpp.
//
// A visitor is given the place where the value goes, holding the default. Names are those of the command line without
// dashes in front: "multilinear-direction".
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/number_rule.hpp"

namespace surefield {

struct OptionName {
  constexpr OptionName(const char* text) : name(text) {}
  constexpr OptionName(const char* text, char short_form) : name(text), letter(short_form) {}

  std::string_view name;
  char letter = 0;  ///< the short form on the command line; 0: none
};

class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;

  virtual void real(OptionName name, double& value, const NumberRule& rule,
                    std::string_view about) = 0;
  virtual void real(OptionName name, std::optional<double>& value, const NumberRule& rule,
                    std::string_view about) = 0;
  virtual void reals(OptionName name, std::vector<double>& values, const NumberRule& rule,
                     std::string_view about) = 0;
  virtual void whole(OptionName name, Index& value, const WholeRule& rule,
                     std::string_view about) = 0;
  virtual void whole(OptionName name, std::optional<Index>& value, const WholeRule& rule,
                     std::string_view about) = 0;
  virtual void wholes(OptionName name, std::vector<Index>& values, const WholeRule& rule,
                      std::string_view about) = 0;
  virtual void flag(OptionName name, bool& value, std::string_view about) = 0;
  virtual void choice(OptionName name, std::string& value, std::vector<std::string> of,
                      std::string_view about) = 0;
  virtual void choices(OptionName name, std::vector<std::string>& values,
                       std::vector<std::string> of, std::string_view about) = 0;
};

/// An option that belongs to some of the choices a piece of work offers, so that none is taken and then ignored.
struct OptionScope {
  std::string option;                ///< "rounds"
  std::vector<std::string> choices;  ///< it has an effect on these
  std::string also = {};             ///< in words, what else would make it one: "any with --polish"
};

/// Throws Error for one of the options `given` that has no effect on the choice made; `what` the choice is of:
/// "algorithm"; `spelled`, an option as the user wrote it.
///
///   --rounds: the algorithm is best, but this option is for continuous
void refuse_outside_scope(std::span<const std::string> given, std::span<const OptionScope> scopes,
                          std::string_view what, const std::string& chosen,
                          const std::function<std::string(const std::string&)>& spelled);

}  // namespace surefield
