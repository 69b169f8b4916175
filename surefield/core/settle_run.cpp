#include "surefield/core/settle_run.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "surefield/core/large_arrays.hpp"
#include "surefield/core/vector_exp.hpp"
#include "surefield/core/vector_sigmoid.hpp"

namespace surefield {
namespace {

using Four = double __attribute__((vector_size(32)));
using FourBits = std::uint64_t __attribute__((vector_size(32)));

constexpr std::size_t kAhead = 256;  // couplings: 2 KB are under way while four nodes are worked on

[[gnu::always_inline]] inline void load(const double* from, Four& to) {
  std::memcpy(&to, from, sizeof(Four));
}

/// Of eight that follow each other the first, fifth, third and seventh: no element leaves its half of a register.
[[gnu::always_inline]] inline void every_other(const double* from, Four& to) {
  Four a, b;
  load(from, a);
  load(from + 4, b);
  to = __builtin_shufflevector(a, b, 0, 4, 2, 6);
}

/// The four couplings of four nodes, whose ends are eight apart: by neighbour, nodes in the sequence of every_other.
[[gnu::always_inline]] inline void couplings(const double* from, Four (&w)[4]) {
  Four a, b, c, d;
  load(from, a);
  load(from + 16, b);
  load(from + 8, c);
  load(from + 24, d);
  const Four ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Four ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Four cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  w[0] = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  w[1] = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  w[2] = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  w[3] = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

/// The arrays as seen from the first node of a run.
struct View {
  const double* bias;
  const double* coupling;
  double* x;
  const double *above, *below;
  const double *low, *high;
};

template <bool kBoxed>
[[gnu::always_inline]] inline RunMoves settle(const View& at, std::size_t count, double beta,
                                              double wakes) {
  RunMoves moves;
  std::size_t k = 0;
  if (count > 4) {
    Four largest = {};
    FourBits moved = {};
    Four before =
        {};  // the nodes between those of the run: what is written is not read again at once
    before[3] = at.x[-1];
    for (; k + 4 < count; k += 4) {
      const std::size_t i = 2 * k;
      Four w[4], slope, north, south, a, b;
      for (int line = 0; line < 4; ++line)
        prefetch_line(at.coupling + 4 * i + kAhead + 8 * line);  // beyond the end nothing happens
      couplings(at.coupling + 4 * i, w);
      every_other(at.bias + i, slope);
      every_other(at.above + i, north);
      every_other(at.below + i, south);
      load(at.x + i, a);
      load(at.x + i + 4, b);
      const Four now = __builtin_shufflevector(a, b, 0, 4, 2, 6);
      const Four east = __builtin_shufflevector(a, b, 1, 5, 3, 7);
      const Four west = __builtin_shufflevector(before, east, 3, 6, 4, 5);
      before = east;
      slope += w[0] * north;
      slope += w[1] * west;
      slope += w[2] * east;
      slope += w[3] * south;
      slope *= beta;
      Four best;
      detail::vector_sigmoid<Four, FourBits>(slope, best);
      if constexpr (kBoxed) {
        Four low, high;
        every_other(at.low + i, low);
        every_other(at.high + i, high);
        best = best < low ? low : (high < best ? high : best);
      }
      const Four difference = best - now;
      const Four move =
          __builtin_bit_cast(Four, __builtin_bit_cast(FourBits, difference) & 0x7fffffffffffffffU);
      largest = move > largest ? move : largest;
      moved -= __builtin_bit_cast(FourBits, move > wakes);
      const Four first = __builtin_shufflevector(best, east, 0, 4, 2, 6);
      const Four second = __builtin_shufflevector(best, east, 1, 5, 3, 7);
      std::memcpy(at.x + i, &first, sizeof(Four));
      std::memcpy(at.x + i + 4, &second, sizeof(Four));
    }
    for (int lane = 0; lane < 4; ++lane) {
      moves.largest = largest[lane] > moves.largest ? largest[lane] : moves.largest;
      moves.moved += moved[lane];
    }
  }
  for (; k < count; ++k) {
    const std::size_t i = 2 * k;
    const double* const w = at.coupling + 4 * i;
    double slope = at.bias[i];
    slope += w[0] * at.above[i];
    slope += w[1] * at.x[static_cast<std::ptrdiff_t>(i) - 1];
    slope += w[2] * at.x[i + 1];
    slope += w[3] * at.below[i];
    slope *= beta;
    double best;
    detail::vector_sigmoid<double, std::uint64_t>(slope, best);
    if constexpr (kBoxed)
      best = best < at.low[i] ? at.low[i] : (at.high[i] < best ? at.high[i] : best);
    const double move = std::abs(best - at.x[i]);
    at.x[i] = best;
    moves.largest = move > moves.largest ? move : moves.largest;
    moves.moved += move > wakes ? 1 : 0;
  }
  return moves;
}

}  // namespace

SUREFIELD_VECTOR_CLONES RunMoves settle_run(const GridRun& run, const RunArrays& arrays,
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
  return boxed ? settle<true>(at, run.count, beta, wakes)
               : settle<false>(at, run.count, beta, wakes);
}

}  // namespace surefield
