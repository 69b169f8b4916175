#include "surefield/bounds/log_z/hoelder/pairwise_piece.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/assert.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

// The table of a step has the variable itself as bit 0 and its later neighbours above, in their
// order.
PairwisePiece::PairwisePiece(Index variables, std::span<const Edge> edges,
                             const EliminationOrder& order)
    : children_(variables), edges_(edges.size()) {
  SUREFIELD_ASSERT(order.complete && order.order.size() == variables);
  std::vector<std::uint32_t> step_of(variables);
  for (std::uint32_t s = 0; s < variables; ++s) step_of[order.order[s]] = s;
  steps_.resize(variables);
  for (std::uint32_t s = 0; s < variables; ++s) {
    Step& step = steps_[s];
    const auto& later = order.later[s];
    step.variable = order.order[s];
    step.later = static_cast<std::uint32_t>(later.size());
    step.offset = entries_;
    entries_ += std::size_t{1} << later.size();
    step.parent = later.empty() ? kNone : later[0];
    if (later.empty()) continue;
    children_[later[0]].push_back(s);
    const auto& above = order.later[later[0]];
    std::vector<std::uint32_t> bit(above.size() + 1, 0);  // of the parent's table, in the message
    bit[0] = 1;
    for (std::size_t k = 1; k < later.size(); ++k) {
      const auto at = std::lower_bound(above.begin(), above.end(), later[k]) - above.begin();
      bit[static_cast<std::size_t>(at) + 1] = std::uint32_t{1} << k;
    }
    step.message.resize(std::size_t{2} << above.size());
    for (std::size_t k = 0; k < bit.size(); ++k)
      for (std::size_t entry = 0; entry < std::size_t{1} << k; ++entry)
        step.message[entry | (std::size_t{1} << k)] = step.message[entry] | bit[k];
  }
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const auto [first, second] = std::minmax(step_of[edges[e].from], step_of[edges[e].to]);
    const auto& later = order.later[first];
    const auto at = std::lower_bound(later.begin(), later.end(), second) - later.begin();
    steps_[first].links.push_back({e, static_cast<std::uint32_t>(at)});
  }
}

PieceSum PairwisePiece::sum(std::span<const double> theta, std::span<double> marginal) const {
  const Index n = steps_.size();
  std::vector<double> message(entries_), rise(entries_), table, pull;
  CompensatedSum log_sum;
  for (Index s = 0; s < n; ++s) {  // forward: logs
    const Step& step = steps_[s];
    const std::size_t half = std::size_t{1} << step.later;
    pull.assign(half, theta[step.variable]);  // theta of the variable given its neighbours
    for (const Link& link : step.links) {
      const std::size_t bit = std::size_t{1} << link.bit;
      for (std::size_t c = 0; c < half; ++c)
        if (c & bit) pull[c] += theta[n + link.edge];
    }
    table.assign(2 * half, 0);
    for (const std::uint32_t child : children_[s]) {
      const double* const sent = message.data() + steps_[child].offset;
      const auto& entry = steps_[child].message;
      for (std::size_t c = 0; c < 2 * half; ++c) table[c] += sent[entry[c]];
    }
    for (std::size_t c = 0; c < half; ++c) {
      const double d = pull[c] + (table[2 * c + 1] - table[2 * c]);
      message[step.offset + c] = table[2 * c] + softplus(d);
      rise[step.offset + c] = d;
    }
    if (step.parent == kNone) log_sum.add(message[step.offset]);
  }
  std::vector<std::vector<double>> joint(n);  // backward: probabilities
  std::fill(marginal.begin(), marginal.end(), 0.0);
  for (Index s = n; s-- > 0;) {
    const Step& step = steps_[s];
    const std::size_t half = std::size_t{1} << step.later;
    std::vector<double> mass(half, 0);
    if (step.parent == kNone) {
      mass[0] = 1;
    } else {
      const auto& above = joint[step.parent];
      for (std::size_t c = 0; c < above.size(); ++c) mass[step.message[c]] += above[c];
    }
    joint[s].resize(2 * half);
    for (std::size_t c = 0; c < half; ++c) {
      const double in = sigmoid(rise[step.offset + c]) * mass[c];
      joint[s][2 * c + 1] = in;
      joint[s][2 * c] = mass[c] - in;
      marginal[step.variable] += in;
    }
    for (const Link& link : step.links)
      for (std::size_t c = 0; c < half; ++c)
        if (c >> link.bit & 1) marginal[n + link.edge] += joint[s][2 * c + 1];
  }
  return {log_sum.value(), 0};
}

}  // namespace surefield
