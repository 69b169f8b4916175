#include "surefield/cli/work_options.hpp"

#include <algorithm>

#include "surefield/cli/number_rule.hpp"
#include "surefield/core/error.hpp"

namespace surefield::cli {
namespace {

class Flags final : public OptionVisitor {
 public:
  explicit Flags(CLI::App& command) : command_(&command) {}

  void real(OptionName name, double& value, const NumberRule& rule,
            std::string_view about) override {
    add(name, value, about)->check(takes(rule))->capture_default_str();
  }
  void real(OptionName name, std::optional<double>& value, const NumberRule& rule,
            std::string_view about) override {
    add(name, value, about)->check(takes(rule));
  }
  void reals(OptionName name, std::vector<double>& values, const NumberRule& rule,
             std::string_view about) override {
    add(name, values, about)->delimiter(',')->check(takes(rule))->capture_default_str();
  }
  void whole(OptionName name, Index& value, const WholeRule& rule,
             std::string_view about) override {
    add(name, value, about)->check(takes(rule))->capture_default_str();
  }
  void whole(OptionName name, std::optional<Index>& value, const WholeRule& rule,
             std::string_view about) override {
    add(name, value, about)->check(takes(rule));
  }
  void wholes(OptionName name, std::vector<Index>& values, const WholeRule& rule,
              std::string_view about) override {
    add(name, values, about)->delimiter(',')->check(takes(rule))->capture_default_str();
  }
  void flag(OptionName name, bool& value, std::string_view about) override {
    command_->add_flag(flag_text(name), value, std::string(about));
  }
  void choice(OptionName name, std::string& value, std::vector<std::string> of,
              std::string_view about) override {
    auto* const option = add(name, value, about)->check(CLI::IsMember(std::move(of)));
    if (!value.empty()) option->capture_default_str();
  }
  void choices(OptionName name, std::vector<std::string>& values, std::vector<std::string> of,
               std::string_view about) override {
    add(name, values, about)->delimiter(',')->check(CLI::IsMember(std::move(of)));
  }

 private:
  static std::string flag_text(OptionName name) {
    std::string text = message("--", name.name);
    return name.letter == 0 ? text : message("-", name.letter, ",", text);
  }
  template <class T>
  CLI::Option* add(OptionName name, T& value, std::string_view about) {
    return command_->add_option(flag_text(name), value, std::string(about));
  }

  CLI::App* command_;
};

}  // namespace

std::unique_ptr<OptionVisitor> flags_of(CLI::App& command) {
  return std::make_unique<Flags>(command);
}

void refuse_outside_scope(const CLI::App& command, std::span<const OptionScope> scopes,
                          std::string_view what, const std::string& chosen) {
  surefield::refuse_outside_scope(options_given(command), scopes, what, chosen,
                                  [](const std::string& option) { return "--" + option; });
}

void refuse_without(const CLI::App& command, const std::string& option, const std::string& needed) {
  require(command.get_option(option)->count() == 0 || command.get_option(needed)->count() > 0,
          option, ": it has no effect without ", needed);
}

std::vector<std::string> options_given(const CLI::App& command) {
  std::vector<std::string> given;
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && !option->get_lnames().empty())
      given.push_back(option->get_lnames().front());
  return given;
}

}  // namespace surefield::cli
