#include "surefield/models/any_model.hpp"

#include <algorithm>

namespace surefield {
namespace {

template <class M>
bool estimated(const M& model) {
  if constexpr (std::is_same_v<M, WeightedSum>)
    return std::any_of(model.terms.begin(), model.terms.end(), [](const WeightedSum::Term& term) {
      return std::visit([](const auto& part) { return estimated(part); }, term.model);
    });
  else if constexpr (requires { M::kEstimated; })
    return M::kEstimated;
  else
    return false;
}

}  // namespace

Index size_of(const AnyModel& model) {
  return std::visit([](const auto& m) { return m.size(); }, model);
}
std::string_view kind_of(const AnyModel& model) {
  return std::visit([](const auto& m) { return m.kKind; }, model);
}
double evaluate(const AnyModel& model, Subset chosen) {
  return std::visit([&](const auto& m) { return m.evaluate(chosen); }, model);
}
std::optional<std::string> submodularity_violation(const AnyModel& model) {
  return std::visit([](const auto& m) { return submodularity_violation(m); }, model);
}
bool is_estimated(const AnyModel& model) {
  return std::visit([](const auto& m) { return estimated(m); }, model);
}

}  // namespace surefield
