#include "surefield/distributed/log_z_over_ranks.hpp"

#include <cmath>
#include <vector>

#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {
namespace {

class RowsInFiles final : public FieldRows {
 public:
  explicit RowsInFiles(const BinaryField& model) : model_(model) {}
  Index size() const override { return model_.variables(); }
  double bias(Index i) const override { return model_.bias(i); }
  Interval interval(Index i) const override { return model_.interval(i); }
  void ends_of(Index i, std::vector<End>& out) const override {
    out.clear();
    for (std::uint64_t e = model_.start(i); e < model_.start(i + 1); ++e)
      out.push_back({model_.neighbour(e), model_.coupling(e)});
  }

 private:
  const BinaryField& model_;
};

/// What the tiles of one rank say of the whole.
struct Survey {
  std::uint64_t free = 0, bounded = 0;
  ForestTiles::Ends ends = {};
};

}  // namespace

std::optional<LogZOverRanks> log_z_over_ranks(const BinaryField& model, double beta,
                                              const Budget& budget, const Communicator& ranks,
                                              Index tile, Index few) {
  const RowsInFiles rows(model);
  const ForestTiles tiles(rows, tile);
  const auto rank = static_cast<Index>(ranks.rank());
  const auto parties = static_cast<Index>(ranks.size());
  const Index first = tiles.count() * rank / parties;
  const Index last = tiles.count() * (rank + 1) / parties;
  Survey own;
  for (Index t = first; t < last; ++t) {
    const auto ends = tiles.ends(t);
    own.ends.all += ends.all, own.ends.across += ends.across;
    for (Index i = tiles.first_of(t); i < tiles.last_of(t); ++i) {
      const Interval in = model.interval(i);
      own.bounded += !is_of_sets(in);
      own.free += !(is_of_sets(in) && in.is_point());
    }
    model.forget_pages();
  }
  const Index free = ranks.sum(own.free);
  const ForestTiles::Ends ends{ranks.sum(own.ends.all), ranks.sum(own.ends.across)};
  const bool is_of_box = ranks.sum(own.bounded) == 0;
  if (free <= few || !ForestTiles::are_worth_it(ends)) return std::nullopt;
  const ForestOptions how{.beta = beta, .rounds = forest_rounds(free), .budget = budget};
  std::vector<double> upper(last - first);
  bool refused = false;
  try {
    for_each_index(last - first, budget.threads(), [&](std::size_t k) {
      upper[k] = tiles.upper(first + k, how);
      model.forget_pages();
    });
  } catch (const Error&) {
    refused = true;
  }
  if (ranks.any(refused)) return std::nullopt;
  ExactSum sum;
  for (const double one : upper) sum.add(one);
  const double total =
      ForestTiles::total(ranks.sum(sum), model.constant(), model.inherited_error(), beta);
  if (!std::isfinite(total)) return std::nullopt;
  return LogZOverRanks{total, is_of_box};
}

}  // namespace surefield
