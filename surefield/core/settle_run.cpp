#include "surefield/core/settle_run.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "surefield/core/assert.hpp"
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
  const double* packed;
};

/// Where a run finds its field, and whether there is a box.
enum class Source { kArrays, kArraysAndBox, kPacked };

/// What comes next, to be fetched from memory meanwhile: a node for every node of the run. Half a block ahead is more than the first cache
/// holds. What is packed lies in the order of visits: a fixed way ahead.
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
  [[gnu::always_inline]] void fetch_packed(const double* packed, std::size_t k,
                                           std::size_t count) const {
    for (std::size_t j = 0; j < 5 * count; j += 8) prefetch_line<2>(packed + kPackedAhead + j);
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

/// What goes along a run with its nodes: the nodes between them to the left, so that what is written is not read again at once, and the moves.
template <class Lanes>
struct Along {
  typename Lanes::Numbers before = {};
  typename Lanes::Numbers largest = {};
  typename Lanes::Bits moved = {};

  [[gnu::always_inline]] void begin(const View& at, std::size_t k) {
    before[Lanes::kCount - 1] = at.x[2 * static_cast<std::ptrdiff_t>(k) - 1];
  }
};

/// Couplings and bias of as many nodes as there are lanes, from the k-th on; `packed` have been packed before them.
template <class Lanes, Source kSource>
[[gnu::always_inline]] inline void field_of(const View& at, const Ahead& ahead, std::size_t k,
                                            std::size_t packed, typename Lanes::Numbers (&w)[4],
                                            typename Lanes::Numbers& bias) {
  if constexpr (kSource == Source::kPacked) {
    const double* const from = at.packed + 5 * packed;
    ahead.fetch_packed(from, k, Lanes::kCount);
    for (int l = 0; l < 4; ++l) std::memcpy(&w[l], from + l * Lanes::kCount, sizeof w[l]);
    std::memcpy(&bias, from + 4 * Lanes::kCount, sizeof bias);
  } else {
    ahead.fetch(k, Lanes::kCount);
    Lanes::transpose(at.coupling + 8 * k, w);
    every_other<Lanes>(at.bias + 2 * k, bias);
  }
}

/// The nodes k, k + 1, ... of a run, K times as many as there are lanes.
template <class Lanes, Source kSource, int K>
[[gnu::always_inline]] inline void settle_next(const View& at, const Ahead& ahead, std::size_t k,
                                               std::size_t packed, double beta, double wakes,
                                               Along<Lanes>& along) {
  using Numbers = typename Lanes::Numbers;
  using Bits = typename Lanes::Bits;
  constexpr std::size_t kCount = Lanes::kCount;
  Numbers slope[K], now[K], east[K], best[K];
#pragma GCC unroll 8
  for (int j = 0; j < K; ++j) {
    const std::size_t i = 2 * (k + j * kCount);
    Numbers w[4], north, south, a, b, west;
    field_of<Lanes, kSource>(at, ahead, k + j * kCount, packed + j * kCount, w, slope[j]);
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
#pragma GCC unroll 8
  for (int j = 0; j < K; ++j) {
    const std::size_t i = 2 * (k + j * kCount);
    if constexpr (kSource == Source::kArraysAndBox) {
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

template <class Lanes, Source kSource>
[[gnu::always_inline]] inline RunMoves settle(const View& at, const Ahead& ahead, std::size_t count,
                                              double beta, double wakes) {
  constexpr std::size_t kCount = Lanes::kCount;
  constexpr int kAbreast = Lanes::kAbreast;
  Along<Lanes> along;
  along.begin(at, 0);
  std::size_t k = 0;
  for (; k + kAbreast * kCount <= count; k += kAbreast * kCount)
    settle_next<Lanes, kSource, kAbreast>(at, ahead, k, k, beta, wakes, along);
  for (; k + kCount <= count; k += kCount)
    settle_next<Lanes, kSource, 1>(at, ahead, k, k, beta, wakes, along);
  if (k <
      count) {  // the last fill their lanes with nodes before them, which are where they go to already and move no more
    along.begin(at, count - kCount);
    settle_next<Lanes, kSource, 1>(at, ahead, count - kCount, k, beta, wakes, along);
  }
  RunMoves moves;
  for (std::size_t lane = 0; lane < kCount; ++lane) {
    moves.largest = along.largest[lane] > moves.largest ? along.largest[lane] : moves.largest;
    moves.moved += along.moved[lane];
  }
  return moves;
}

template <class Lanes>
[[gnu::always_inline]] inline RunMoves settle(const GridRun& run, const RunArrays& arrays,
                                              double beta, double wakes) {
  const Index i = run.first;
  SUREFIELD_ASSERT(run.count >= kShortestRun);
  const bool boxed = arrays.low != nullptr;
  const View at{arrays.bias + i,
                arrays.coupling + run.first_end,
                arrays.x + i,
                arrays.x + i - run.up,
                arrays.x + i + run.down,
                boxed ? arrays.low + i : nullptr,
                boxed ? arrays.high + i : nullptr,
                arrays.packed != nullptr ? arrays.packed + run.packed : nullptr};
  const auto farther = static_cast<std::ptrdiff_t>(run.ahead - i);
  const Ahead ahead{at.bias + farther, at.coupling + 4 * farther, at.x + farther};
  if (boxed) return settle<Lanes, Source::kArraysAndBox>(at, ahead, run.count, beta, wakes);
  if (at.packed == nullptr)
    return settle<Lanes, Source::kArrays>(at, ahead, run.count, beta, wakes);
  return settle<Lanes, Source::kPacked>(at, ahead, run.count, beta, wakes);
}

template <class Lanes>
[[gnu::always_inline]] inline void pack(const GridRun& run, const RunArrays& arrays, double* to) {
  constexpr std::size_t kCount = Lanes::kCount;
  const double* const bias = arrays.bias + run.first;
  const double* const coupling = arrays.coupling + run.first_end;
  for (std::size_t done = 0; done < run.count; done += kCount, to += 5 * kCount) {
    const std::size_t k = std::min(done, run.count - kCount);
    typename Lanes::Numbers w[4], b;
    Lanes::transpose(coupling + 8 * k, w);
    every_other<Lanes>(bias + 2 * k, b);
    std::memcpy(to, w, sizeof w);
    std::memcpy(to + 4 * kCount, &b, sizeof b);
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
[[gnu::target("avx512f")]] RunMoves settle_by_eight(const GridRun& run, const RunArrays& arrays,
                                                    double beta, double wakes) {
  return settle<detail::EightLanes>(run, arrays, beta, wakes);
}
[[gnu::target("avx512f")]] void pack_by_eight(const GridRun& run, const RunArrays& arrays,
                                              double* to) {
  pack<detail::EightLanes>(run, arrays, to);
}
const bool kHasEightLanes = __builtin_cpu_supports("avx512f");
#else
constexpr bool kHasEightLanes = false;
RunMoves settle_by_eight(const GridRun&, const RunArrays&, double, double) { return {}; }
void pack_by_eight(const GridRun&, const RunArrays&, double*) {}
#endif

}  // namespace

SUREFIELD_VECTOR_CLONES RunMoves detail::settle_by_four(const GridRun& run, const RunArrays& arrays,
                                                        double beta, double wakes) {
  return settle<FourLanes>(run, arrays, beta, wakes);
}

void detail::pack_by_four(const GridRun& run, const RunArrays& arrays, double* packed) {
  pack<FourLanes>(run, arrays, packed + run.packed);
}

RunMoves settle_run(const GridRun& run, const RunArrays& arrays, double beta, double wakes) {
  return kHasEightLanes ? settle_by_eight(run, arrays, beta, wakes)
                        : detail::settle_by_four(run, arrays, beta, wakes);
}

void pack_run(const GridRun& run, const RunArrays& arrays, double* packed) {
  if (kHasEightLanes)
    pack_by_eight(run, arrays, packed + run.packed);
  else
    detail::pack_by_four(run, arrays, packed);
}

}  // namespace surefield
