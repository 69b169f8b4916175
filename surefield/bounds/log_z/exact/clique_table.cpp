#include "surefield/bounds/log_z/exact/clique_table.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "surefield/core/assert.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kSafe = 600;  // products of numbers stay between e^-600 and e^600
constexpr Index kBlockBits = 11;
constexpr Index kBlock = Index{1} << kBlockBits;
using Buffer = std::array<double, kBlock>;

/// Where the entries of a table over (v, part of the later variables) lie, seen from the entries y
/// of the clique: entry y with v = 0 is at offset(y), with v = 1 one further.
class Layout {
 public:
  Layout(std::span<const std::uint32_t> steps, const std::vector<std::uint32_t>& later)
      : stride_(later.size(), 0) {
    for (Index k = 1; k < steps.size(); ++k) {
      const auto at = std::lower_bound(later.begin(), later.end(), steps[k]);
      SUREFIELD_ASSERT(at != later.end() && *at == steps[k]);
      stride_[static_cast<Index>(at - later.begin())] = Index{1} << k;
    }
    const Index low = std::min(later.size(), kBlockBits);
    // The lowest bits that are all in the table, or all absent, make runs without a jump.
    contiguous_ = low > 0 && stride_[0] == 2;
    while (run_bits_ < low && stride_[run_bits_] == (contiguous_ ? Index{2} << run_bits_ : 0))
      ++run_bits_;
    // Going from one run to the next: bit t rises, all bits below it fall.
    Index fallen = 0;
    for (Index b = run_bits_; b < low; ++b) {
      jump_.push_back(stride_[b] - fallen);  // may wrap; added to an offset it comes out right
      fallen += stride_[b];
    }
    if (run_bits_ < 3)
      for (Index y = 0; y < Index{1} << low; ++y)
        offsets_.push_back(static_cast<std::uint32_t>(offset(y)));
  }

  Index offset(Index y) const {
    Index result = 0;
    for (; y != 0; y &= y - 1) result += stride_[static_cast<Index>(std::countr_zero(y))];
    return result;
  }

  /// Calls one(j, offset), or run(j, count, offset, contiguous) for stretches, over the block of
  /// entries from `first` on.
  template <class One, class Run>
  void for_block(Index first, Index count, One&& one, Run&& run) const {
    Index at = offset(first);
    if (!offsets_.empty()) {
      for (Index j = 0; j < count; ++j) one(j, at + offsets_[j]);
      return;
    }
    const Index length = Index{1} << run_bits_;
    for (Index r = 0, j = 0; j < count; j += length) {
      run(j, length, at, contiguous_);
      if (++r < count / length) at += jump_[static_cast<Index>(std::countr_zero(r))];
    }
  }

 private:
  std::vector<Index> stride_;  // per later variable; 0 where the table does not hold it
  bool contiguous_ = false;
  Index run_bits_ = 0;
  std::vector<Index> jump_;
  std::vector<std::uint32_t> offsets_;  // of every entry of a block, where runs are short
};

/// Both halves of the product over one block: times the table, or plus it in logs.
template <bool kLogs>
void apply(const Layout& layout, const double* table, Index first, Index count, Buffer& off,
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
void sum_out_block(std::span<const CliqueTable* const> tables, const std::vector<Layout>& layouts,
                   Index first, Index count, SummedOut& result) {
  Buffer off;
  Buffer on;
  std::fill_n(off.begin(), count, kLogs ? 0.0 : 1.0);
  std::fill_n(on.begin(), count, kLogs ? 0.0 : 1.0);
  for (Index t = 0; t < tables.size(); ++t)
    apply<kLogs>(layouts[t], tables[t]->value.data(), first, count, off, on);
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
                  std::span<const CliqueTable* const> tables, bool with_conditional) {
  SummedOut result;
  result.message.steps = later;
  double low = 0;
  double high = 0;
  bool logs = false;
  std::vector<Layout> layouts;
  for (const CliqueTable* const table : tables) {
    layouts.emplace_back(table->steps, later);
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
              std::span<const double> conditional, std::span<const Marginal> parts) {
  std::vector<Layout> layouts;
  for (const Marginal& part : parts) layouts.emplace_back(part.steps, later);
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
      layouts[p].for_block(
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
