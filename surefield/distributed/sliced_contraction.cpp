// Contraction (bounds/elbo/contraction.hpp) of the box of a sliced field: the cuts of one process, a rank each its own variables.
//
// A cut of one end reads the other end of its neighbours and nothing that moves in the same half of a step, so all variables of a border go
// out in one message, after the blocks that hold them and before the rest are cut. Cost: two messages a border and step, of what moved, and
// one question to all.
#include <algorithm>

#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/distributed/sliced_elbo.hpp"

namespace surefield {

template <class Cut>
bool SlicedElbo::cut_each(const Objective& state, const Box& domain, std::vector<double>& ends,
                          const Budget& budget, double& moved, const Cut& cut) {
  constexpr Index kManyCuts = 4096;  // variables; fewer take less than to ask threads
  const std::size_t blocks = borders_.size();
  const Budget each = slice_.own > kManyCuts ? budget : budget.with_threads(1);
  std::vector<double> by(blocks, 0);
  std::vector<std::uint8_t> left(blocks, 1);
  halo_.begin(ends);
  for (const bool border : {true, false}) {
    for_each_index(blocks, each, [&](std::size_t b) {
      if ((borders_[b] != 0) != border) return;
      left[b] = detail::cut_these(state, in_block(b), domain, by[b], cut) ? 1 : 0;
    });
    if (border) halo_.send_all([&](Index i) { return ends[i]; });
  }
  halo_.receive([&](Index i, double v) { ends[i] = v; }, [](Index) {});
  for (const double most : by) moved = std::max(moved, most);
  return std::ranges::find(left, 0) == left.end();
}

bool SlicedElbo::contract(const Box& domain, Box& box, const ContractionOptions& options) {
  if (!(options.slack < 1)) return true;
  Objective state(slice_.field.at(box.low), beta_);
  for (std::size_t step = 0; step < options.steps; ++step) {
    if (spent(options.budget)) break;
    double moved = 0;
    detail::put(state, box.low);
    bool possible = cut_each(state, domain, box.high, options.budget, moved,
                             [&](Index i, double u, double& by) {
                               return detail::cut_from_above(i, u, box, options.slack, by);
                             });
    detail::put(state, box.high);
    possible &=
        cut_each(state, domain, box.low, options.budget, moved, [&](Index i, double u, double& by) {
          return detail::cut_from_below(i, u, box, options.slack, by);
        });
    moved = ranks_.largest(possible ? moved : kInfinity);  // one question for both
    if (moved == kInfinity) return false;
    if (moved <= options.progress) break;
  }
  cut_short_ = cut_short_ || spent(options.budget);  // who was out of time cut fewer
  return true;
}

}  // namespace surefield
