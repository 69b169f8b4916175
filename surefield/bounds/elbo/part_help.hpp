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

/// What a part is asked: see DualPart.
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

/// Bounds all parts. question(r) is what part r is asked, without its notes; take(r, bound, x) keeps what it says.
template <DualPart Part, class Question, class Take>
void bound_parts(const std::vector<Part>& parts, const PartHelp& by, const Question& question,
                 const Take& take) {
  const auto here = [&](std::size_t r) {
    const PartQuestion asked = question(r);
    std::vector<double> x(asked.theta.size());
    const double bound =
        parts[r].bound(asked.theta, asked.c, asked.low, asked.high, asked.precision, x);
    take(r, bound, std::move(x));
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
                                    PartQuestion asked = question(order[k]);
                                    asked.notes = parts[order[k]].notes();
                                    return packed(std::move(asked));
                                  },
                              .keep =
                                  [&](std::size_t k, std::string_view bytes) {
                                    auto answer = unpacked<PartAnswer>(bytes);
                                    parts[order[k]].recall(answer.notes);
                                    take(order[k], answer.bound, std::move(answer.x));
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
