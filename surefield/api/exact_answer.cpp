#include "surefield/api/exact_answer.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

#include "surefield/api/log_z_checks.hpp"
#include "surefield/core/error.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "surefield/bounds/log_z/exact/dpp.hpp"
#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/exact/enumeration.hpp"
#include "surefield/bounds/log_z/exact/flid_exact.hpp"

namespace surefield {
namespace {

constexpr Index kEliminable = 20000;  // items: beyond, finding an order takes too long

/// What the method finds, or nothing where it refuses.
template <class Method>
std::optional<ExactAnswer> attempt(const char* name, Method&& method) {
  try {
    auto found = method();
    if (!std::isfinite(found.log_z)) return std::nullopt;
    return ExactAnswer{name, found.log_z, std::move(found.marginals)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

template <class Field>
std::optional<ExactAnswer> eliminated(const Field& field, const Box& box,
                                      const ExactAnswerOptions& options) {
  if (field.size() > kEliminable) return std::nullopt;
  return attempt("elimination", [&] {
    return eliminate(at_inverse_temperature(field, options.inverse_temperature), &box,
                     {.limit = options.width, .marginals = options.marginals});
  });
}

/// The method made for the family, if there is one.
template <class M>
std::optional<ExactAnswer> by_family(const M& model, const Box& box,
                                     const ExactAnswerOptions& options) {
  const double beta = options.inverse_temperature;
  if constexpr (std::is_same_v<M, LogDet>)
    return attempt("determinant", [&] { return exact_dpp(model, box, beta); });
  else if constexpr (std::is_same_v<M, Flid> || std::is_same_v<M, FacilityLocation>)
    return attempt("best items", [&] {
      return flid_exact(model, &box,
                        {.beta = beta,
                         .limit = options.steps,
                         .marginals = options.marginals,
                         .threads = options.threads});
    });
  else if constexpr (std::is_same_v<M, PairwiseField> || std::is_same_v<M, GibbsField>)
    return eliminated(model, box, options);
  else if constexpr (std::is_same_v<M, GraphCut>)
    return eliminated(model.field, box, options);
  else
    return std::nullopt;
}

template <class M>
std::optional<ExactAnswer> by_any(const M& model, const Box& box,
                                  const ExactAnswerOptions& options) {
  if (auto found = by_family(model, box, options)) return found;
  Index free = 0;
  for (Index i = 0; i < box.size(); ++i) free += !box[i].is_point();
  if (free > options.enumerable) return std::nullopt;
  return attempt("enumeration", [&] {
    return enumerate_log_z(model, &box,
                           {.beta = options.inverse_temperature,
                            .marginals = options.marginals,
                            .threads = options.threads});
  });
}

}  // namespace

std::optional<ExactAnswer> exact_answer(const Problem& problem, const ExactAnswerOptions& options) {
  require_temperature_of_log_z(options.inverse_temperature);
  auto found = std::visit([&](const auto& model) { return by_any(model, problem.box, options); },
                          problem.model);
  if (!found) return std::nullopt;
  if (options.marginals)
    found->marginals = in_user_variables(problem, std::move(found->marginals));
  else
    found->marginals.clear();
  return found;
}

}  // namespace surefield
