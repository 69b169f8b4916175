#include "surefield/core/settle_run.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "surefield/core/grid_lanes.hpp"
#include "surefield/core/large_arrays.hpp"
#include "surefield/core/vector_exp.hpp"
#include "surefield/core/vector_sigmoid.hpp"

namespace surefield {
namespace {

/// The arrays as seen from the first node of a run.
struct View {
  const double* bias;
  const double* coupling;
  double* x;
  const double *above, *below;
  const double *low, *high;
};

/// What comes next, to be fetched from memory meanwhile: a node for every node of the run.
struct Ahead {
  const double* bias;
  const double* coupling;
  const double* x;

  /// For `count` nodes from the k-th on. Where there is nothing more, nothing happens.
  [[gnu::always_inline]] void fetch(std::size_t k, std::size_t count) const {
    for (std::size_t j = 0; j < count; j += 2) prefetch_line(coupling + 4 * (k + j));
    prefetch_line(bias + k);
    prefetch_line(x + k);
  }
};

/// Of as many nodes as there are lanes, the numbers of a row that belong to them.
template <class Lanes>
[[gnu::always_inline]] inline void every_other(const double* from, typename Lanes::Numbers& to) {
  typename Lanes::Numbers a, b;
  std::memcpy(&a, from, sizeof a);
  std::memcpy(&b, from + Lanes::kCount, sizeof b);
  Lanes::evens(a, b, to);
}

/// The best points of nodes k .. count - 1, which are fewer than fill the lanes, or just as many: their slopes one by one.
template <class Lanes, bool kBoxed>
[[gnu::always_inline]] inline void settle_last(const View& at, std::size_t k, std::size_t count,
                                               double beta, double wakes, RunMoves& moves) {
  typename Lanes::Numbers slope = {}, best;
  for (std::size_t lane = 0; k + lane < count; ++lane) {
    const std::size_t i = 2 * (k + lane);
    const double* const w = at.coupling + 4 * i;
    double sum = at.bias[i];
    sum += w[0] * at.above[i];
    sum += w[1] * at.x[static_cast<std::ptrdiff_t>(i) - 1];
    sum += w[2] * at.x[i + 1];
    sum += w[3] * at.below[i];
    slope[lane] = sum * beta;
  }
  detail::vector_sigmoid<typename Lanes::Numbers, typename Lanes::Bits>(slope, best);
  for (std::size_t lane = 0; k + lane < count; ++lane) {
    const std::size_t i = 2 * (k + lane);
    double to = best[lane];
    if constexpr (kBoxed) to = to < at.low[i] ? at.low[i] : (at.high[i] < to ? at.high[i] : to);
    const double move = std::abs(to - at.x[i]);
    at.x[i] = to;
    moves.largest = move > moves.largest ? move : moves.largest;
    moves.moved += move > wakes ? 1 : 0;
  }
}

template <class Lanes, bool kBoxed>
[[gnu::always_inline]] inline RunMoves settle(const View& at, const Ahead& ahead, std::size_t count,
                                              double beta, double wakes) {
  using Numbers = typename Lanes::Numbers;
  using Bits = typename Lanes::Bits;
  constexpr std::size_t kCount = Lanes::kCount;
  Numbers largest = {};
  Bits moved = {};
  Numbers before =
      {};  // the nodes between those of the run: what is written is not read again at once
  before[kCount - 1] = at.x[-1];
  std::size_t k = 0;
  for (; k + kCount < count; k += kCount) {
    const std::size_t i = 2 * k;
    ahead.fetch(k, kCount);
    Numbers w[4], slope, north, south, a, b, now, east, west, best;
    Lanes::transpose(at.coupling + 4 * i, w);
    every_other<Lanes>(at.bias + i, slope);
    every_other<Lanes>(at.above + i, north);
    every_other<Lanes>(at.below + i, south);
    std::memcpy(&a, at.x + i, sizeof a);
    std::memcpy(&b, at.x + i + kCount, sizeof b);
    Lanes::evens(a, b, now);
    Lanes::odds(a, b, east);
    Lanes::left_of(before, east, west);
    before = east;
    slope += w[0] * north;
    slope += w[1] * west;
    slope += w[2] * east;
    slope += w[3] * south;
    slope *= beta;
    detail::vector_sigmoid<Numbers, Bits>(slope, best);
    if constexpr (kBoxed) {
      Numbers low, high;
      every_other<Lanes>(at.low + i, low);
      every_other<Lanes>(at.high + i, high);
      best = best < low ? low : (high < best ? high : best);
    }
    const Numbers difference = best - now;
    const Numbers move =
        __builtin_bit_cast(Numbers, __builtin_bit_cast(Bits, difference) & 0x7fffffffffffffffU);
    largest = move > largest ? move : largest;
    moved = move > wakes ? moved + 1 : moved;
    Lanes::evens(best, east, a);
    Lanes::odds(best, east, b);
    std::memcpy(at.x + i, &a, sizeof a);
    std::memcpy(at.x + i + kCount, &b, sizeof b);
  }
  RunMoves moves;
  for (std::size_t lane = 0; lane < kCount; ++lane) {
    moves.largest = largest[lane] > moves.largest ? largest[lane] : moves.largest;
    moves.moved += moved[lane];
  }
  settle_last<Lanes, kBoxed>(at, k, count, beta, wakes, moves);
  return moves;
}

template <class Lanes>
[[gnu::always_inline]] inline RunMoves settle(const GridRun& run, const RunArrays& arrays,
                                              double beta, double wakes) {
  const Index i = run.first;
  const bool boxed = arrays.low != nullptr;
  const View at{arrays.bias + i,
                arrays.coupling + run.first_end,
                arrays.x + i,
                arrays.x + i - run.up,
                arrays.x + i + run.down,
                boxed ? arrays.low + i : nullptr,
                boxed ? arrays.high + i : nullptr};
  const auto farther = static_cast<std::ptrdiff_t>(run.ahead - i);
  const Ahead ahead{at.bias + farther, at.coupling + 4 * farther, at.x + farther};
  return boxed ? settle<Lanes, true>(at, ahead, run.count, beta, wakes)
               : settle<Lanes, false>(at, ahead, run.count, beta, wakes);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
[[gnu::target("avx512f")]] RunMoves settle_by_eight(const GridRun& run, const RunArrays& arrays,
                                                    double beta, double wakes) {
  return settle<detail::EightLanes>(run, arrays, beta, wakes);
}
const bool kHasEightLanes = __builtin_cpu_supports("avx512f");
#else
constexpr bool kHasEightLanes = false;
RunMoves settle_by_eight(const GridRun&, const RunArrays&, double, double) { return {}; }
#endif

}  // namespace

SUREFIELD_VECTOR_CLONES RunMoves detail::settle_by_four(const GridRun& run, const RunArrays& arrays,
                                                        double beta, double wakes) {
  return settle<FourLanes>(run, arrays, beta, wakes);
}

RunMoves settle_run(const GridRun& run, const RunArrays& arrays, double beta, double wakes) {
  return kHasEightLanes ? settle_by_eight(run, arrays, beta, wakes)
                        : detail::settle_by_four(run, arrays, beta, wakes);
}

}  // namespace surefield
