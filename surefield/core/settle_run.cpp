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

/// What comes next, to be fetched from memory meanwhile: a node for every node of the run. Half a block ahead is more than the first cache
/// holds.
struct Ahead {
  const double* bias;
  const double* coupling;
  const double* x;

  /// For `count` nodes from the k-th on. Where there is nothing more, nothing happens.
  [[gnu::always_inline]] void fetch(std::size_t k, std::size_t count) const {
    for (std::size_t j = 0; j < count; j += 2) prefetch_line<2>(coupling + 4 * (k + j));
    prefetch_line<2>(bias + k);
    prefetch_line<2>(x + k);
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

/// What goes along a run with its nodes: the nodes between them to the left, so that what is written is not read again at once, and the moves.
template <class Lanes>
struct Along {
  typename Lanes::Numbers before = {};
  typename Lanes::Numbers largest = {};
  typename Lanes::Bits moved = {};
};

/// The nodes k, k + 1, ... of a run, K times as many as there are lanes.
template <class Lanes, bool kBoxed, int K>
[[gnu::always_inline]] inline void settle_next(const View& at, const Ahead& ahead, std::size_t k,
                                               double beta, double wakes, Along<Lanes>& along) {
  using Numbers = typename Lanes::Numbers;
  using Bits = typename Lanes::Bits;
  constexpr std::size_t kCount = Lanes::kCount;
  Numbers slope[K], now[K], east[K], best[K];
  for (int j = 0; j < K; ++j) {
    const std::size_t i = 2 * (k + j * kCount);
    ahead.fetch(k + j * kCount, kCount);
    Numbers w[4], north, south, a, b, west;
    Lanes::transpose(at.coupling + 4 * i, w);
    every_other<Lanes>(at.bias + i, slope[j]);
    every_other<Lanes>(at.above + i, north);
    every_other<Lanes>(at.below + i, south);
    std::memcpy(&a, at.x + i, sizeof a);
    std::memcpy(&b, at.x + i + kCount, sizeof b);
    Lanes::evens(a, b, now[j]);
    Lanes::odds(a, b, east[j]);
    Lanes::left_of(along.before, east[j], west);
    along.before = east[j];
    slope[j] += w[0] * north;
    slope[j] += w[1] * west;
    slope[j] += w[2] * east[j];
    slope[j] += w[3] * south;
    slope[j] *= beta;
  }
  detail::vector_sigmoids<Numbers, Bits>(slope, best);
  for (int j = 0; j < K; ++j) {
    const std::size_t i = 2 * (k + j * kCount);
    if constexpr (kBoxed) {
      Numbers low, high;
      every_other<Lanes>(at.low + i, low);
      every_other<Lanes>(at.high + i, high);
      best[j] = best[j] < low ? low : (high < best[j] ? high : best[j]);
    }
    const Numbers difference = best[j] - now[j];
    const Numbers move =
        __builtin_bit_cast(Numbers, __builtin_bit_cast(Bits, difference) & 0x7fffffffffffffffU);
    along.largest = move > along.largest ? move : along.largest;
    along.moved = move > wakes ? along.moved + 1 : along.moved;
    Numbers a, b;
    Lanes::evens(best[j], east[j], a);
    Lanes::odds(best[j], east[j], b);
    std::memcpy(at.x + i, &a, sizeof a);
    std::memcpy(at.x + i + kCount, &b, sizeof b);
  }
}

template <class Lanes, bool kBoxed>
[[gnu::always_inline]] inline RunMoves settle(const View& at, const Ahead& ahead, std::size_t count,
                                              double beta, double wakes) {
  constexpr std::size_t kCount = Lanes::kCount;
  constexpr int kAbreast = Lanes::kAbreast;
  Along<Lanes> along;
  along.before[kCount - 1] = at.x[-1];
  std::size_t k = 0;
  for (; k + kAbreast * kCount < count; k += kAbreast * kCount)
    settle_next<Lanes, kBoxed, kAbreast>(at, ahead, k, beta, wakes, along);
  for (; k + kCount < count; k += kCount)
    settle_next<Lanes, kBoxed, 1>(at, ahead, k, beta, wakes, along);
  RunMoves moves;
  for (std::size_t lane = 0; lane < kCount; ++lane) {
    moves.largest = along.largest[lane] > moves.largest ? along.largest[lane] : moves.largest;
    moves.moved += along.moved[lane];
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
