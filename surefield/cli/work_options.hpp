// The options of a piece of work (api/work.hpp) as flags of a command.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/api/option_visitor.hpp"

namespace surefield::cli {

/// Makes a flag of every option it is shown.
std::unique_ptr<OptionVisitor> flags_of(CLI::App& command);

template <class Work>
void add_work_options(CLI::App& command, Work& work) {
  show_options(work, *flags_of(command));
}

/// Throws Error for a flag given that has no effect on the choice made.
void refuse_outside_scope(const CLI::App& command, std::span<const OptionScope> scopes,
                          std::string_view what, const std::string& chosen);

/// Throws Error if `option` is given without `needed`.
void refuse_without(const CLI::App& command, const std::string& option, const std::string& needed);

/// The long names, without dashes, of the options that were given.
std::vector<std::string> options_given(const CLI::App& command);

}  // namespace surefield::cli
