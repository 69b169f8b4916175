// Coordinate ascent by the classes, blocks and waves of a coloured order: a sweep over all
// coordinates, or a round over those that may move.
//
// After a coordinate has moved its neighbours may move; nobody else can, because a line depends on
// neighbours only. A round visits just those, in the sequence of the order, so whatever order it
// amounts to is one of coordinate ascent, and the value never falls. Moves far below the tolerance wake
// nobody: that none is left to move is for a last sweep to show.
//
// The blocks of a wave run on threads if moves are independent (a move writes nothing but its
// coordinate): the same bits for any number of them. Cost of a round: a line and a set for each that
// is awake, a byte for each neighbour of those that moved, and a byte a block. A sweep goes along the rows of
// a grid where the classes have such (core/grid_runs.hpp), with the same bits. Who sweeps often reads them packed
// (core/settle_run.hpp): 40 bytes a coordinate, where the budget has them.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "surefield/algorithms/awake.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/grid_runs.hpp"
#include "surefield/core/large_arrays.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {

/// Moves of different coordinates may run on different threads if they do not interact.
template <class O>
concept IndependentMoves = requires {
  requires O::kIndependentMoves;
};

/// Runs of a grid can be settled at once: settle_run(run, box, wakes, packed) gives the largest move and how many are above `wakes`, the box
/// being null if it is the unit box, and packed what pack_run has written for all runs, or null; neighbours() are those that the runs are found by.
template <class O>
concept GridObjective = BatchObjective<O> &&
    requires(O& state, const O& now, const GridRun& run, const Box* box, double wakes,
             double* packed) {
  { state.settle_run(run, box, wakes, packed).largest } -> std::convertible_to<double>;
  now.pack_run(run, packed);
  now.foresee_fields(std::span<const Index>());
  { now.neighbours() } -> std::same_as<Neighbours>;
};

/// All coordinates are in this process: nothing is to be told to others, or heard from them.
struct Alone {
  static constexpr bool kAlone = true;
  template <class Moves>
  Moves of_all(const Moves& own) const {
    return own;
  }
};

/// Coordinates of the state that are not in the order are copies of those of other processes: `ranks` keeps them
/// up to date after every wave, and tells others whom of theirs a move woke (distributed/halo.hpp). Blocks that others have copies of
/// come first in a wave; while what they changed is under way, the rest move.
template <BatchObjective O, class Ranks = Alone>
class BlockAscent {
 public:
  struct Moves {
    double largest = 0;     ///< infinite if the budget was spent before all was done
    std::size_t moved = 0;  ///< by enough to wake their neighbours
    std::size_t visited = 0;

    void add(const Moves& other) {
      largest = std::max(largest, other.largest);
      moved += other.moved;
      visited += other.visited;
    }
  };

  /// All of them must outlive this.
  BlockAscent(O& state, const Box& box, Order& order, Neighbours neighbours, double tolerance,
              const Budget& budget, Ranks ranks = {})
      : state_(state),
        box_(box),
        unit_(box.is_unit()),
        order_(order.epoch(0)),
        shape_(order.colouring()),
        neighbours_(neighbours),
        wakes_(tolerance / 4),
        budget_(budget),
        ranks_(std::move(ranks)) {}

  /// Every coordinate once.
  Moves sweep() {
    if constexpr (GridObjective<O>) {
      if (runs_.run_ends.empty()) find_runs();
      if (has_runs_ && packed_.empty() && sweeps_++ == kSweepsBeforePacking) pack_runs();
    }
    return over_blocks([this](std::size_t block) { return visit<false>(block); });
  }

  /// From now on rounds: everybody is awake.
  void wake_all() {
    if (awake_.none_yet()) {
      std::vector<std::uint32_t> ends;
      for (std::size_t b = 1; b <= shape_.block_ends.size(); ++b)
        ends.push_back(static_cast<std::uint32_t>(first_of(b)));
      awake_.find_places(order_, std::move(ends), state_.size());
    }
    awake_.wake_all();
  }

  /// The same with those awake of whom is_awake(i) says so: rounds that were left go on.
  template <class IsAwake>
  void wake_only(const IsAwake& is_awake) {
    wake_all();
    for (const Index i : order_)
      if (!is_awake(i)) awake_.put_to_sleep(i);
  }
  bool is_awake(Index i) const { return awake_.is_awake(i); }

  O& state() { return state_; }
  /// Whether rounds are under way, so that moves wake.
  bool wakes() const { return !awake_.none_yet(); }
  void wake(Index j) { awake_.wake(j); }
  /// Whether somebody else's coordinate was woken since the last time this was asked.
  bool take_woken(Index j) { return awake_.take(j); }

  /// Whoever is awake, a block a few times over while it is in the cache; who is woken in a block
  /// before waits for the next round.
  Moves round() {
    return over_blocks([this](std::size_t block) {
      Moves all;
      for (int time = 0; time < kTimes && awake_.take_stirred(block); ++time)
        all.add(visit<true>(block));
      return all;
    });
  }

 private:
  static constexpr int kTimes = 4;
  /// Memory that is new to the process costs more than a pass over it: packing saves what it takes in 10 to 30 sweeps.
  static constexpr int kSweepsBeforePacking = 32;
  static constexpr std::size_t kWorthThreads = 50000;  // coordinates; fewer take less than to ask

  void find_runs() {
    runs_ = find_grid_runs(order_, shape_.class_ends, state_.neighbours());
    has_runs_ = !runs_.empty();
    runs_.run_ends.resize(shape_.class_ends.size());  // found, or not to be looked for again
  }

  /// Coordinates of other processes are copies that change between sweeps, the field is not; but where there are many processes, memory is
  /// what there is least of.
  void pack_runs() requires GridObjective<O> {
    const double bytes = static_cast<double>(runs_.packed_size) * sizeof(double);
    if (!Ranks::kAlone || !unit_ || bytes > budget_.bytes()) return;
    packed_.resize(runs_.packed_size);
    for_each_index(shape_.class_ends.size(), budget_.threads(), [this](std::size_t c) {
      for (std::size_t r = first_run_of(c); r < runs_.run_ends[c]; ++r)
        state_.pack_run(runs_.runs[r], packed_.data());
    });
  }
  std::size_t first_run_of(std::size_t c) const { return c == 0 ? 0 : runs_.run_ends[c - 1]; }

  std::size_t first_class_of(std::size_t block) const {
    return block == 0 ? 0 : shape_.block_ends[block - 1];
  }
  std::size_t first_of(std::size_t block) const {
    const std::size_t c = first_class_of(block);
    return c == 0 ? 0 : shape_.class_ends[c - 1];
  }

  /// work(block) wave by wave, with the moves of all.
  template <class Work>
  Moves over_blocks(const Work& work) {
    Moves all;
    std::size_t first = 0;
    for (std::size_t wave = 0; wave < shape_.wave_ends.size(); ++wave) {
      const std::size_t end = shape_.wave_ends[wave];
      found_.assign(end - first, Moves{});
      const bool worth_threads = IndependentMoves<O> && visited_ >= kWorthThreads;
      const Budget budget = worth_threads ? budget_ : budget_.with_threads(1);
      const auto each = [&](const auto& one) { return for_each_index(end - first, budget, one); };
      bool done = true;
      if constexpr (Ranks::kAlone) {
        done = each([&](std::size_t k) { found_[k] = work(first + k); });
      } else {
        for (const bool border : {true, false}) {
          done = each([&](std::size_t k) {
            if (ranks_.is_border(first + k) == border) found_[k] = work(first + k);
          });
          if (border) ranks_.send(*this, wave);
        }
        ranks_.receive(*this);
      }
      for (const Moves& moves : found_) all.add(moves);
      if (!done) all.largest = kInfinity;
      if (!done) return all;
      first = end;
    }
    visited_ = all.visited;
    return ranks_.of_all(all);
  }

  /// The classes of a block in turn.
  template <bool kAwakeOnly>
  Moves visit(std::size_t block) {
    Moves moves;
    std::vector<Index> chosen;
    std::vector<double> best;
    std::size_t start = first_of(block);
    for (std::size_t c = first_class_of(block); c < shape_.block_ends[block]; ++c) {
      const std::size_t end = shape_.class_ends[c];
      std::span<const Index> ids = order_.subspan(start, end - start);
      if constexpr (kAwakeOnly) {
        awake_.take(order_, start, end, chosen);
        ids = chosen;
      } else if constexpr (GridObjective<O>) {
        if (has_runs_) ids = settle_runs(c, moves);
      }
      settle<kAwakeOnly>(ids, best, moves);
      start = end;
    }
    return moves;
  }

  /// Of one class, none of which depends on another.
  template <bool kWakes>
  void settle(std::span<const Index> ids, std::vector<double>& best, Moves& moves) {
    if (best.size() < ids.size()) best.resize(ids.size());
    if (unit_)
      state_.peak_batch(ids, best);
    else
      state_.argmax_batch(ids, box_, best);
    for (Index k = 0; k < ids.size(); ++k) {
      const double move = std::abs(best[k] - state_.coordinate(ids[k]));
      state_.set(ids[k], best[k]);
      moves.largest = std::max(moves.largest, move);
      if (!(move > wakes_)) continue;
      moves.moved += 1;
      if constexpr (kWakes)
        for (const auto j : neighbours_.of(ids[k])) awake_.wake(j);
    }
    moves.visited += ids.size();
  }

  /// The runs of a class. Who is in none of them is left to do.
  std::span<const Index> settle_runs(std::size_t c, Moves& moves) requires GridObjective<O> {
    const std::size_t first = c == 0 ? 0 : runs_.rest_ends[c - 1];
    foresee_rest(c, first);
    const double* const packed = packed_.empty() ? nullptr : packed_.data();
    for (std::size_t r = first_run_of(c); r < runs_.run_ends[c]; ++r) {
      const auto found = state_.settle_run(runs_.runs[r], unit_ ? nullptr : &box_, wakes_, packed);
      moves.add({found.largest, found.moved, runs_.runs[r].count});
    }
    return std::span<const Index>(runs_.rest).subspan(first, runs_.rest_ends[c] - first);
  }

  /// Whoever is in no run waits for its place in the list of neighbours, and then for the list and the field there: all are fetched
  /// meanwhile, the place a class ahead.
  void foresee_rest(std::size_t c, std::size_t first) const requires GridObjective<O> {
    state_.foresee_fields(
        std::span<const Index>(runs_.rest).subspan(first, runs_.rest_ends[c] - first));
    if (c + 1 == runs_.rest_ends.size()) return;
    const Neighbours near = state_.neighbours();
    for (std::size_t k = runs_.rest_ends[c]; k < runs_.rest_ends[c + 1]; ++k)
      prefetch_line(near.start.data() + runs_.rest[k]);
  }

  O& state_;
  const Box& box_;
  bool unit_;  // the box is read no more
  std::span<const Index> order_;
  const Colouring& shape_;
  Neighbours neighbours_;
  double wakes_;  // a move of more
  const Budget& budget_;
  Ranks ranks_;
  GridRuns runs_;  // of all classes, once a sweep has asked for them
  bool has_runs_ = false;
  std::vector<double, LargeArrays<double>> packed_;  // all runs, once there were enough sweeps
  int sweeps_ = 0;                                   // along runs that are not packed
  Awake awake_;
  std::vector<Moves> found_;
  std::size_t visited_ = kWorthThreads;  // the last time, which says how many there will be now
};

}  // namespace surefield
