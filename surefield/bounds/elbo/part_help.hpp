// The parts of a dual decomposition, bounded by whoever has a hand free (core/helpers.hpp): for a box that is visited alone, as the root of a
// search is, while others would wait.
//
// A part remembers its grids from call to call, and they decide the last bits of its next bound. So they travel with the question, and
// come back with the answer: 16 bytes a point of a grid, each way. A question costs two messages, so parts that are soon
// bounded are not asked about.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/dual_part.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/packing.hpp"

namespace surefield {

/// Who bounds the parts; the result does not depend on it.
struct PartHelp {
  Budget budget = {};          ///< its threads work in this process
  Helpers* helpers = nullptr;  ///< in others
  Subject subject = {};        ///< for them
};

/// A part that can be bounded elsewhere.
template <class P>
concept TravellingPart = DualPart<P> && requires(const P& part, std::string_view notes) {
  { part.notes() } -> std::same_as<std::string>;  // all that it remembers
  {part.recall(notes)};
  { part.work() } -> std::convertible_to<std::size_t>;  // of the next bound: points of its grids
};

/// What a part is asked (see DualPart); the multipliers stay with whoever holds them.
struct PartTask {
  std::span<const double> theta = {}, c = {};
  std::vector<double> low = {}, high = {};  // of its members
  double precision = 0;
};

/// The same for another process: numbers of its own, and all that the part remembers.
struct PartQuestion {
  std::uint64_t part = 0;
  std::vector<double> theta = {}, c = {}, low = {}, high = {};
  double precision = 0;
  std::string notes = {};
};
inline auto fields_of(PartQuestion& question) {
  auto& [part, theta, c, low, high, precision, notes] = question;
  return std::tie(part, theta, c, low, high, precision, notes);
}

struct PartAnswer {
  double bound = 0;
  std::vector<double> x = {};
  std::string notes = {};
};
inline auto fields_of(PartAnswer& answer) {
  auto& [bound, x, notes] = answer;
  return std::tie(bound, x, notes);
}

/// Bounds all parts: task(r) is what part r is asked, bounds[r] what it says and x[r] where it is attained.
template <DualPart Part, class Task>
void bound_parts(const std::vector<Part>& parts, const PartHelp& by, const Task& task,
                 std::span<double> bounds, std::span<std::vector<double>> x) {
  const auto here = [&](std::size_t r) {
    const PartTask asked = task(r);
    x[r].assign(asked.theta.size(), 0);
    bounds[r] = parts[r].bound(asked.theta, asked.c, asked.low, asked.high, asked.precision, x[r]);
  };
  if constexpr (TravellingPart<Part>) {
    constexpr std::size_t kWorthAsking = 20000;  // points of all grids: some milliseconds
    std::size_t work = 0;
    for (const Part& part : parts) work += part.work();
    if (by.helpers != nullptr && work >= kWorthAsking) {
      // The longest first, so that nobody begins one when the others are done.
      std::vector<std::size_t> order(parts.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, std::ranges::greater(),
                               [&](std::size_t r) { return parts[r].work(); });
      return ask(by.helpers, {.subject = by.subject,
                              .count = parts.size(),
                              .budget = by.budget,
                              .here = [&](std::size_t k) { here(order[k]); },
                              .question =
                                  [&](std::size_t k) {
                                    const std::size_t r = order[k];
                                    PartTask asked = task(r);
                                    return packed(PartQuestion{
                                        .part = r,
                                        .theta = {asked.theta.begin(), asked.theta.end()},
                                        .c = {asked.c.begin(), asked.c.end()},
                                        .low = std::move(asked.low),
                                        .high = std::move(asked.high),
                                        .precision = asked.precision,
                                        .notes = parts[r].notes()});
                                  },
                              .keep =
                                  [&](std::size_t k, std::string_view bytes) {
                                    const std::size_t r = order[k];
                                    auto answer = unpacked<PartAnswer>(bytes);
                                    parts[r].recall(answer.notes);
                                    bounds[r] = answer.bound;
                                    x[r] = std::move(answer.x);
                                  }});
    }
  }
  for_each_index(parts.size(), by.budget.threads(), here);
}

/// Bounds parts for a search that another process leads over the same ones.
template <TravellingPart Part>
Answerer part_answerer(std::vector<Part> parts) {
  return [parts =
              std::make_shared<const std::vector<Part>>(std::move(parts))](std::string_view bytes) {
    const auto asked = unpacked<PartQuestion>(bytes);
    require(asked.part < parts->size(), "parts: there is no part ", asked.part);
    const Part part = (*parts)[asked.part];  // a copy: what it remembers is of this question
    part.recall(asked.notes);
    PartAnswer answer{.x = std::vector<double>(asked.theta.size())};
    answer.bound =
        part.bound(asked.theta, asked.c, asked.low, asked.high, asked.precision, answer.x);
    answer.notes = part.notes();
    return packed(std::move(answer));
  };
}

}  // namespace surefield
