#include "surefield/api/agree.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "surefield/api/agreement.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void require_valid(const AgreeOptions& options) {
  require(std::isfinite(options.inverse_temperature) && options.inverse_temperature > 0,
          "agreement: the inverse temperature is ", options.inverse_temperature,
          ", which must be finite and > 0");
  require(options.width > 0, "agreement: the width is ", options.width, ", which must be > 0");
  require(options.seconds >= 0, "agreement: the seconds are ", options.seconds,
          ", which must be >= 0");
  require(options.threads >= 1, "threads: there are 0, but it takes at least 1");
}

LogZInterval interval(const Problem& problem, const AgreeOptions& options, double width,
                      unsigned threads) {
  return log_z_interval(problem, {.inverse_temperature = options.inverse_temperature,
                                  .width = width,
                                  .seconds = options.seconds,
                                  .exact = options.exact,
                                  .threads = threads,
                                  .go_on = options.go_on});
}

/// What the two models left of the width, but no less than the third part planned.
double left_over(const LogZInterval& first, const LogZInterval& second, double width) {
  return std::max(width / 3, width - first.width() - second.width());
}

AgreementBounds bounds_of(const LogZInterval& first, const LogZInterval& second,
                          const LogZInterval& both, std::optional<double> elbo) {
  AgreementBounds bounds;
  bounds.pa_elbo = elbo;
  bounds.pa_exact = first.exact && second.exact && both.exact;
  // What rounding may do to exact log Zs and to the differences; none is left out of an exact PA,
  // which is given to rounding.
  const auto margin = [&](double a, double b, double c) {
    return bounds.pa_exact ? 0 : 1e-13 * (1 + std::abs(a) + std::abs(b) + std::abs(c));
  };
  const auto lower = [&](double top) {
    return top - *first.upper - *second.upper - margin(top, *first.upper, *second.upper);
  };
  if (first.upper && second.upper) {
    if (elbo) bounds.pa_elbo_lower = lower(*elbo);
    if (both.lower) bounds.pa_lower = lower(*both.lower);
    if (elbo && bounds.pa_lower && !bounds.pa_exact)
      bounds.pa_lower = std::max(*bounds.pa_lower, *bounds.pa_elbo_lower);
  }
  if (first.lower && second.lower && both.upper) {
    const double upper = *both.upper - *first.lower - *second.lower;
    bounds.pa_upper = std::min(0.0, upper + margin(*both.upper, *first.lower, *second.lower));
    if (bounds.pa_exact) bounds.pa_lower = bounds.pa_upper;
  }
  return bounds;
}

/// The PA-ELBO of a run, where it is a number that proves something.
std::optional<double> proved_elbo(const Problem& problem, const Result& result) {
  if (result.status == Status::kFailed || is_estimated(problem.model)) return std::nullopt;
  return result.elbo;
}

AgreeRow agree_row(std::span<const Problem> problems, const AgreePairs& pairs, AgreeRow row,
                   const AgreeOptions& options) {
  const auto start = Clock::now();
  const Problem sum = agreement_problem(problems[row.first], problems[row.second],
                                        {.no_guarantee = options.no_guarantee});
  const Result found = infer(sum, {.inverse_temperature = options.inverse_temperature,
                                   .seed = options.seed,
                                   .quick_proof = false});
  const auto &first = pairs.log_z[row.first], &second = pairs.log_z[row.second];
  const LogZInterval both = interval(sum, options, left_over(first, second, options.width), 1);
  row.bounds = bounds_of(first, second, both, proved_elbo(sum, found));
  row.seconds = since(start);
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
  return pa_lower && pa_upper ? std::max(0.0, *pa_upper - *pa_lower)
                              : std::numeric_limits<double>::infinity();
}

double AgreePairs::width() const {
  double widest = 0;
  for (const AgreeRow& row : rows) widest = std::max(widest, row.bounds.width());
  return widest;
}

AgreeResult agree(const Problem& first, const Problem& second, const AgreeOptions& options) {
  const auto start = Clock::now();
  require_valid(options);
  const Problem sum = agreement_problem(first, second, {.no_guarantee = options.no_guarantee});
  AgreeResult answer;
  answer.first = interval(first, options, options.width / 3, options.threads);
  answer.second = interval(second, options, options.width / 3, options.threads);
  answer.both = interval(sum, options, left_over(answer.first, answer.second, options.width),
                         options.threads);
  Result& result = answer.result;
  InferOptions how{.inverse_temperature = options.inverse_temperature,
                   .seed = options.seed,
                   .threads = options.threads};
  if (options.go_on) how.observer = [&](TracePoint&) { return options.go_on(); };
  result = infer(sum, how);
  answer.bounds = bounds_of(answer.first, answer.second, answer.both, proved_elbo(sum, result));
  result.command = "agree";
  result.objective = "pa-elbo";
  if (answer.both.lower) result.log_z_lower = answer.both.lower;
  if (answer.both.upper) result.log_z_upper = answer.both.upper;
  result.log_z_exact = answer.both.exact;
  result.seconds = since(start);
  return answer;
}

AgreePairs agree_pairs(std::span<const Problem> problems, const AgreeOptions& options) {
  const auto start = Clock::now();
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
  const auto go_on = [&] { return !options.go_on || options.go_on(); };
  pairs.log_z.resize(problems.size());
  for_each_index(problems.size(), options.threads, [&](std::size_t i) {
    pairs.log_z[i] = interval(problems[i], options, options.width / 3, 1);
  });
  for_each_index(pairs.rows.size(), options.threads, [&](std::size_t r) {
    if (go_on()) pairs.rows[r] = agree_row(problems, pairs, pairs.rows[r], options);
  });
  pairs.complete = go_on();
  pairs.mean_lower = mean_of(pairs.rows, &AgreementBounds::pa_lower);
  pairs.mean_upper = mean_of(pairs.rows, &AgreementBounds::pa_upper);
  pairs.mean_elbo = mean_of(pairs.rows, &AgreementBounds::pa_elbo);
  pairs.mean_elbo_lower = mean_of(pairs.rows, &AgreementBounds::pa_elbo_lower);
  pairs.exact =
      std::ranges::all_of(pairs.rows, [](const auto& row) { return row.bounds.pa_exact; });
  pairs.seconds = since(start);
  return pairs;
}

}  // namespace surefield
