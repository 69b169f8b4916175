// The ELBO of a pairwise field whose variables lie on several ranks, and the algorithms on it: value, coordinate ascent,
// double greedy, contraction. All of it is collective, and every number that comes out has the bits that one
// process gives in the coloured order (core/colouring.hpp), for any partition and number of ranks.
//
// A point is a vector over the slice: own variables, then copies, which are kept right.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/api/named_rule.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/core/order.hpp"
#include "surefield/distributed/checkpoint.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/distributed/field_slice.hpp"
#include "surefield/distributed/halo.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

class SlicedElbo {
 public:
  /// The ranks must outlive this.
  SlicedElbo(FieldSlice slice, const Partition& partition, const BinaryField& model, double beta,
             const Communicator& ranks);

  const FieldSlice& slice() const { return slice_; }
  /// Of beta F, the whole model's.
  const Facts& facts() const { return facts_; }

  using Objective = Elbo<PairwiseField::State>;

  double value(const Objective& at);
  double value(std::span<const double> x) { return value(Objective(slice_.field.at(x), beta_)); }

  /// From a point of the box.
  Report ascend(std::vector<double> from, const Box& box, const CoordinateAscentOptions& options);

  /// From now on ascents are saved there, and those that are found there are not made again. Must outlive this.
  void save_to(Checkpoint& checkpoint) { checkpoint_ = &checkpoint; }

  /// One pass of double greedy in the coloured order, or in the reverse of it. Throws Contradiction where a gain rises.
  Report pass(const Box& box, const NamedRule& rule, bool reversed, const Budget& budget);

  /// Cuts the box as bounds/elbo/contraction.hpp does, copies included.
  bool contract(const Box& domain, Box& box, const ContractionOptions& options);

  std::uint64_t bytes_sent() const { return halo_.bytes_sent(); }
  std::uint64_t messages_sent() const { return halo_.messages_sent(); }

 private:
  Facts facts_of_slices(const BinaryField& model);
  std::vector<std::uint8_t> border_blocks();
  /// Its variables as the order has them.
  std::span<const Index> in_block(std::size_t block);
  /// cut(i, u, moved), u being the best point of the line of i in the domain, for all own variables, of which it moves ends[i] and reads no other; those on a border first, and the rest while what was
  /// cut there is under way. Copies of the ends are right afterwards. False if nothing is left of some interval here.
  template <class Cut>
  bool cut_each(const Objective& state, const Box& domain, std::vector<double>& ends,
                const Budget& budget, double& moved, const Cut& cut);
  /// The part of the whole sum that begins with `first`, whoever holds the first block.
  void begin_with(BlockSum& sum, double first) const;
  bool spent(const Budget& budget) const { return ranks_.any(budget.spent()); }

  FieldSlice slice_;  // without its order
  Order order_;
  const Communicator& ranks_;
  Halo halo_;
  std::vector<std::uint8_t> borders_;  // by block of the order: whether others have copies
  double constant_, beta_;
  Index variables_;
  Facts facts_;
  Checkpoint* checkpoint_ = nullptr;
  std::size_t ascents_ = 0;  // so far
  bool cut_short_ =
      false;  // a box that time ran out for: no ascent in it is one of the undisturbed run
};

}  // namespace surefield
