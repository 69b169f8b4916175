// Any model at all: a basic one, or a sum of basic ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "surefield/models/basic_model.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {

namespace detail {
template <class Variant, class T>
struct Append;
template <class... Ms, class T>
struct Append<std::variant<Ms...>, T> {
  using type = std::variant<Ms..., T>;
};
}  // namespace detail

using AnyModel = detail::Append<BasicModel, WeightedSum>::type;

Index size_of(const AnyModel& model);
std::string_view kind_of(const AnyModel& model);
double evaluate(const AnyModel& model, Subset chosen);
std::optional<std::string> submodularity_violation(const AnyModel& model);

/// Whether the state estimates the multilinear extension by sampling, so that its values are no
/// proof of anything.
bool is_estimated(const AnyModel& model);

}  // namespace surefield
