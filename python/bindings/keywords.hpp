// Keyword arguments as the options of a piece of work (api/work.hpp): `multilinear_direction=True` is
// --multilinear-direction. What is None is not given, so every default is the library's own.
#pragma once

#include <string>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "surefield/api/option_visitor.hpp"

namespace surefield::python {

class Keywords final : public OptionVisitor {
 public:
  explicit Keywords(const py::dict& given) : given_(given) {}

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

  /// Throws Error for a keyword that no option was shown for.
  void require_all_taken() const;
  /// Throws Error for an option given that has no effect on the choice made.
  void refuse_outside_scope(std::span<const OptionScope> scopes, std::string_view what,
                            const std::string& chosen) const;
  /// The names, as the command line has them, of the options given.
  const std::vector<std::string>& taken() const { return taken_; }
  bool has(std::string_view option) const;

 private:
  py::object take(OptionName name);

  py::dict given_;
  std::vector<std::string> taken_;
};

/// The work as the keywords say it.
template <class Work>
Work work_of(Keywords& keywords) {
  Work work;
  show_options(work, keywords);
  keywords.require_all_taken();
  return work;
}

/// For the documents and the tests: every option of the work, its name in Python, its default and its meaning.
class OptionTable final : public OptionVisitor {
 public:
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

  py::list rows;

 private:
  void add(OptionName name, py::object value, std::string_view takes, std::string_view about);
};

}  // namespace surefield::python
