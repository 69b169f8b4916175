#include "surefield/bounds/log_z/exact/clique_table.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kSafe = 600;  // products of numbers stay between e^-600 and e^600
constexpr Index kBlock = Index{1} << CliqueLayout::kBlockBits;
using Buffer = std::array<double, kBlock>;

/// Both halves of the product over one block: times the table, or plus it in logs.
template <bool kLogs>
void apply(const CliqueLayout& layout, const double* table, Index first, Index count, Buffer& off,
           Buffer& on) {
  const auto combine = [](double& a, double b) { kLogs ? a += b : a *= b; };
  layout.for_block(
      first, count,
      [&](Index j, Index at) {
        combine(off[j], table[at]);
        combine(on[j], table[at + 1]);
      },
      [&](Index j, Index length, Index at, bool contiguous) {
        const double* const from = table + at;
        if (contiguous) {
          for (Index k = 0; k < length; ++k) combine(off[j + k], from[2 * k]);
          for (Index k = 0; k < length; ++k) combine(on[j + k], from[2 * k + 1]);
        } else {
          for (Index k = 0; k < length; ++k) combine(off[j + k], from[0]);
          for (Index k = 0; k < length; ++k) combine(on[j + k], from[1]);
        }
      });
}

/// The same table with logs for values.
CliqueTable in_logs(const CliqueTable& table) {
  CliqueTable result = table;
  if (!table.logs)
    for (double& value : result.value) value = std::log(value);
  result.logs = true;
  return result;
}

/// Finds the range, shifts logs to a largest of 0 and turns them into numbers where the range
/// allows.
void settle(CliqueTable& table) {
  double low = kInfinity;
  double high = table.logs ? -kInfinity : 0;
  const double zero = high;
  for (const double value : table.value) {
    high = std::max(high, value);
    low = value > zero ? std::min(low, value) : low;
  }
  if (high == zero) {  // no entry is possible
    table.logs = false;
    std::fill(table.value.begin(), table.value.end(), 0.0);
    table.log_scale = -kInfinity;
    table.log_low = table.log_high = 0;
    return;
  }
  if (table.logs) {
    const bool as_numbers = high - low <= kSafe / 2;
    for (double& value : table.value) value = as_numbers ? std::exp(value - high) : value - high;
    table.logs = !as_numbers;
    table.log_scale += high;
    table.log_low = low - high;
    table.log_high = 0;
    return;
  }
  int shift = std::ilogb(high);
  if (std::abs(shift) > 60) {  // by a power of two: no rounding
    for (double& value : table.value) value = std::ldexp(value, -shift);
    table.log_scale += shift * std::log(2.0);
  } else {
    shift = 0;
  }
  table.log_low = std::log(low) - shift * std::log(2.0);
  table.log_high = std::log(high) - shift * std::log(2.0);
}

template <bool kLogs>
void sum_out_block(std::span<const CliqueTable* const> tables,
                   std::span<const CliqueLayout* const> layouts, Index first, Index count,
                   SummedOut& result) {
  Buffer off;
  Buffer on;
  std::fill_n(off.begin(), count, kLogs ? 0.0 : 1.0);
  std::fill_n(on.begin(), count, kLogs ? 0.0 : 1.0);
  for (Index t = 0; t < tables.size(); ++t)
    apply<kLogs>(*layouts[t], tables[t]->value.data(), first, count, off, on);
  double* const message = result.message.value.data() + first;
  for (Index j = 0; j < count; ++j) message[j] = kLogs ? log_add(off[j], on[j]) : off[j] + on[j];
  if (result.conditional.empty()) return;
  double* const conditional = result.conditional.data() + first;
  for (Index j = 0; j < count; ++j) {
    if (kLogs)
      conditional[j] = on[j] == -kInfinity ? 0 : sigmoid(on[j] - off[j]);
    else
      conditional[j] = message[j] == 0 ? 0 : on[j] / message[j];
  }
}

}  // namespace

CliqueTable clique_table(std::vector<std::uint32_t> steps, std::vector<double> logs) {
  CliqueTable result;
  result.logs = true;
  result.value = std::move(logs);
  result.steps = std::move(steps);
  if (!std::is_sorted(result.steps.begin(), result.steps.end())) {
    std::vector<Index> rank(result.steps.size());  // positions in ascending order of steps
    std::iota(rank.begin(), rank.end(), Index{0});
    std::sort(rank.begin(), rank.end(),
              [&](Index a, Index b) { return result.steps[a] < result.steps[b]; });
    std::vector<double> moved(result.value.size());
    for (Index entry = 0; entry < moved.size(); ++entry) {
      Index from = 0;
      for (Index k = 0; k < rank.size(); ++k) from |= ((entry >> k) & 1) << rank[k];
      moved[entry] = result.value[from];
    }
    result.value = std::move(moved);
    std::sort(result.steps.begin(), result.steps.end());
  }
  settle(result);
  return result;
}

SummedOut sum_out(const std::vector<std::uint32_t>& later,
                  std::span<const CliqueTable* const> tables, bool with_conditional,
                  CliqueLayouts& known) {
  SummedOut result;
  result.message.steps = later;
  double low = 0;
  double high = 0;
  bool logs = false;
  std::vector<const CliqueLayout*> layouts;
  for (const CliqueTable* const table : tables) {
    layouts.push_back(&known.of(table->steps, later));
    result.message.log_scale += table->log_scale;
    low += table->log_low;
    high += table->log_high;
    logs |= table->logs;
  }
  logs |= low < -kSafe || high > kSafe;
  std::vector<CliqueTable> converted;
  std::vector<const CliqueTable*> inputs(tables.begin(), tables.end());
  if (logs) {
    converted.reserve(tables.size());
    for (const CliqueTable*& input : inputs)
      if (!input->logs) input = &converted.emplace_back(in_logs(*input));
  }
  const Index size = Index{1} << later.size();
  const Index count = std::min(size, kBlock);
  result.message.value.resize(size);
  result.message.logs = logs;
  if (with_conditional) result.conditional.resize(size);
  const auto block = [&](Index b) {
    if (logs)
      sum_out_block<true>(inputs, layouts, b * count, count, result);
    else
      sum_out_block<false>(inputs, layouts, b * count, count, result);
  };
  if (size / count < 8)
    for (Index b = 0; b < size / count; ++b) block(b);
  else
    tbb::parallel_for(Index{0}, size / count, block);
  settle(result.message);
  return result;
}

double spread(const std::vector<std::uint32_t>& later, std::span<const double> probability,
              std::span<const double> conditional, std::span<const Marginal> parts,
              CliqueLayouts& known) {
  std::vector<const CliqueLayout*> layouts;
  for (const Marginal& part : parts) layouts.push_back(&known.of(part.steps, later));
  const Index size = Index{1} << later.size();
  const Index count = std::min(size, kBlock);
  Buffer off;
  Buffer on;
  double sum = 0;
  for (Index first = 0; first < size; first += count) {
    double block_sum = 0;
    for (Index j = 0; j < count; ++j) {
      on[j] = probability[first + j] * conditional[first + j];
      off[j] = probability[first + j] - on[j];
      block_sum += on[j];
    }
    sum += block_sum;
    for (Index p = 0; p < parts.size(); ++p) {
      double* const to = parts[p].probability.data();
      layouts[p]->for_block(
          first, count,
          [&](Index j, Index at) {
            to[at] += off[j];
            to[at + 1] += on[j];
          },
          [&](Index j, Index length, Index at, bool contiguous) {
            if (contiguous) {
              for (Index k = 0; k < length; ++k) {
                to[at + 2 * k] += off[j + k];
                to[at + 2 * k + 1] += on[j + k];
              }
            } else {
              to[at] += std::accumulate(&off[j], &off[j] + length, 0.0);
              to[at + 1] += std::accumulate(&on[j], &on[j] + length, 0.0);
            }
          });
    }
  }
  return sum;
}

}  // namespace surefield
