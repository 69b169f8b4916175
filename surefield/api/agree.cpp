#include "surefield/api/agree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "surefield/api/agreement.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/log_z_fields.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/core/stopwatch.hpp"

namespace surefield {

static auto fields_of(AgreementBounds& bounds) {
  auto& [lower, upper, exact, basis, elbo, elbo_lower] = bounds;
  return std::tie(lower, upper, exact, basis, elbo, elbo_lower);
}

static auto fields_of(AgreeRow& row) {
  auto& [first, second, bounds, seconds] = row;
  return std::tie(first, second, bounds, seconds);
}

namespace {

void require_valid(const AgreeOptions& options) {
  require(std::isfinite(options.inverse_temperature) && options.inverse_temperature > 0,
          "agreement: the inverse temperature is ", options.inverse_temperature,
          ", which must be finite and > 0");
  require(options.width > 0, "agreement: the width is ", options.width, ", which must be > 0");
  require(options.seconds >= 0, "agreement: the seconds are ", options.seconds,
          ", which must be >= 0");
}

LogZResult interval(const Problem& problem, const AgreeOptions& options, double width,
                    unsigned threads) {
  return log_z(problem,
               {.goal = LogZGoal::kWidth,
                .inverse_temperature = options.inverse_temperature,
                .width = width,
                .exact = options.exact,
                .budget = log_z_budget(options.budget, options.seconds).with_threads(threads)})
      .sound();
}

/// What the two models left of the width, but no less than the third part planned.
double left_over(const LogZResult& first, const LogZResult& second, double width) {
  return std::max(width / 3, width - first.width() - second.width());
}

/// PA = log Z+ - log Z' - log Z'', end by end. `found` is mean field in the PA distribution.
AgreementBounds bounds_of(const LogZResult& first, const LogZResult& second, const LogZResult& both,
                          const Problem& sum, const Result& found) {
  AgreementBounds bounds;
  const bool proves = found.status != Status::kFailed && !is_estimated(sum.model);
  if (proves) bounds.pa_elbo = found.elbo;
  Claim claim("posterior agreement");
  const Basis basis = std::max({first.basis, second.basis, both.basis});
  claim.at_most({0, "probabilities are at most 1", Basis::kProved});
  const auto difference = [](double top, double a, double b, double sign) {
    return top - a - b + sign * gamma_of(4) * (std::abs(top) + std::abs(a) + std::abs(b));
  };
  if (first.upper && second.upper) {
    if (proves && found.elbo_lower) {
      bounds.pa_elbo_lower = difference(*found.elbo_lower, *first.upper, *second.upper, -1);
      claim.at_least({*bounds.pa_elbo_lower, "mean field", basis});
    }
    if (both.lower)
      claim.at_least(
          {difference(*both.lower, *first.upper, *second.upper, -1), both.lower_method, basis});
  }
  const bool bounded_above = first.lower && second.lower && both.upper;
  if (bounded_above)
    claim.at_most(
        {difference(*both.upper, *first.lower, *second.lower, 1), both.upper_method, basis});
  bounds.pa_exact = first.exact && second.exact && both.exact && claim.width() <= kSixDigits;
  if (claim.low()) bounds.pa_lower = claim.low()->value;
  if (bounded_above) bounds.pa_upper = claim.high()->value;
  bounds.basis = claim.basis();
  return bounds;
}

AgreeRow agree_row(std::span<const Problem> problems, const AgreePairs& pairs, AgreeRow row,
                   const AgreeOptions& options) {
  const Stopwatch watch;
  const Problem sum = agreement_problem(problems[row.first], problems[row.second],
                                        {.no_guarantee = options.no_guarantee});
  const Result found = infer(sum, {.inverse_temperature = options.inverse_temperature,
                                   .seed = options.seed,
                                   .quick_proof = false,
                                   .budget = options.budget.with_threads(1)});
  const auto &first = pairs.log_z[row.first], &second = pairs.log_z[row.second];
  const LogZResult both = interval(sum, options, left_over(first, second, options.width), 1);
  row.bounds = bounds_of(first, second, both, sum, found);
  row.seconds = watch.seconds();
  return row;
}

std::optional<double> mean_of(const std::vector<AgreeRow>& rows,
                              std::optional<double> AgreementBounds::*number) {
  double sum = 0;
  for (const AgreeRow& row : rows) {
    if (!(row.bounds.*number)) return std::nullopt;
    sum += *(row.bounds.*number);
  }
  return rows.empty() ? std::nullopt : std::optional(sum / static_cast<double>(rows.size()));
}

}  // namespace

double AgreementBounds::width() const {
  return pa_lower && pa_upper ? *pa_upper - *pa_lower : std::numeric_limits<double>::infinity();
}

double AgreePairs::width() const {
  double widest = 0;
  for (const AgreeRow& row : rows) widest = std::max(widest, row.bounds.width());
  return widest;
}

AgreeResult agree(const Problem& first, const Problem& second, const AgreeOptions& options) {
  const Stopwatch watch;
  require_valid(options);
  const Problem sum = agreement_problem(first, second, {.no_guarantee = options.no_guarantee});
  AgreeResult answer;
  answer.first = interval(first, options, options.width / 3, options.budget.threads());
  answer.second = interval(second, options, options.width / 3, options.budget.threads());
  answer.both = interval(sum, options, left_over(answer.first, answer.second, options.width),
                         options.budget.threads());
  Result& result = answer.result;
  InferOptions how{.inverse_temperature = options.inverse_temperature,
                   .seed = options.seed,
                   .budget = options.budget};
  result = infer(sum, how);
  answer.bounds = bounds_of(answer.first, answer.second, answer.both, sum, result);
  result.command = "agree";
  result.objective = "pa-elbo";
  if (answer.both.lower) result.log_z_lower = answer.both.lower;
  if (answer.both.upper) result.log_z_upper = answer.both.upper;
  result.log_z_exact = answer.both.exact;
  result.seconds = watch.seconds();
  return answer;
}

AgreePairs agree_pairs(std::span<const Problem> problems, const AgreeOptions& options) {
  const Stopwatch watch;
  require_valid(options);
  require(problems.size() >= 2, "agreement: there are ", problems.size(),
          " models, but it takes at least 2");
  AgreePairs pairs;
  pairs.inverse_temperature = options.inverse_temperature;
  for (Index i = 0; i < problems.size(); ++i)
    for (Index j = i + 1; j < problems.size(); ++j) {
      try {
        agreement_problem(problems[i], problems[j], {.no_guarantee = options.no_guarantee});
      } catch (const Error& error) {
        fail("models ", i + 1, " and ", j + 1, ": ", error.what());
      }
      pairs.rows.push_back({i, j, {}, 0});
    }
  pairs.log_z = in_order(problems.size(), options.budget, options.crew, [&](std::size_t i) {
                  return interval(problems[i], options, options.width / 3, 1);
                }).results;
  auto rows = in_order(pairs.rows.size(), options.budget, options.crew, [&](std::size_t r) {
    if (options.budget.spent()) return pairs.rows[r];
    return agree_row(problems, pairs, pairs.rows[r], options);
  });
  pairs.rows = std::move(rows.results);
  pairs.complete = rows.complete;
  pairs.mean_lower = mean_of(pairs.rows, &AgreementBounds::pa_lower);
  pairs.mean_upper = mean_of(pairs.rows, &AgreementBounds::pa_upper);
  pairs.mean_elbo = mean_of(pairs.rows, &AgreementBounds::pa_elbo);
  pairs.mean_elbo_lower = mean_of(pairs.rows, &AgreementBounds::pa_elbo_lower);
  pairs.exact =
      std::ranges::all_of(pairs.rows, [](const auto& row) { return row.bounds.pa_exact; });
  pairs.seconds = watch.seconds();
  return pairs;
}

}  // namespace surefield
