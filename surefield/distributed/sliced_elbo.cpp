#include "surefield/distributed/sliced_elbo.hpp"

#include <algorithm>

#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/order.hpp"
#include "surefield/models/pairwise_field/field_sizes.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

/// The other ranks, as block ascent sees them.
class ManyRanks {
 public:
  static constexpr bool kAlone = false;

  ManyRanks(Halo& halo, const std::vector<std::uint8_t>& borders, const Communicator& ranks)
      : halo_(&halo), borders_(&borders), ranks_(&ranks) {}

  bool is_border(std::size_t block) const { return (*borders_)[block] != 0; }

  template <class Ascent>
  void send(Ascent& ascent, std::size_t wave) const {
    halo_->send(
        wave, [&](Index i) { return ascent.state().coordinate(i); },
        [&](Index j) { return ascent.wakes() && ascent.take_woken(j); });
  }
  template <class Ascent>
  void receive(Ascent& ascent) const {
    halo_->receive([&](Index i, double v) { ascent.state().set(i, v); },
                   [&](Index i) { ascent.wake(i); });
  }

  template <class Moves>
  Moves of_all(const Moves& own) const {
    const std::vector<Moves> mine{own};
    Moves all;
    for (const auto& theirs : ranks_->gather_to_all<Moves>(mine)) all.add(theirs.front());
    return all;
  }

 private:
  Halo* halo_;
  const std::vector<std::uint8_t>* borders_;
  const Communicator* ranks_;
};

/// Counts epochs and says when to stop, the same on all ranks.
class SlicedLog {
 public:
  using Watch = std::function<void(const Report&, AscentPhase)>;

  SlicedLog(const CoordinateAscentOptions& options, std::function<bool()> spent,
            std::function<double()> value, Watch watch)
      : options_(options),
        spent_(std::move(spent)),
        value_(std::move(value)),
        watch_(std::move(watch)) {
    report.status = Status::kEpochLimit;
  }

  bool add(double epochs, bool converged, AscentPhase next) {
    report.epochs += epochs;
    if (converged)
      report.status = Status::kConverged;
    else if (spent_())
      report.status = Status::kInterrupted;
    if (options_.trace) report.trace.push_back({report.epochs, value_(), 0});
    const bool more = report.status == Status::kEpochLimit &&
                      report.epochs < static_cast<double>(options_.epochs);
    if (more || report.status == Status::kInterrupted) watch_(report, next);
    return more;
  }

  Report report;

 private:
  const CoordinateAscentOptions& options_;
  std::function<bool()> spent_;
  std::function<double()> value_;
  Watch watch_;
};

}  // namespace

SlicedElbo::SlicedElbo(FieldSlice slice, const Partition& partition, const BinaryField& model,
                       double beta, const Communicator& ranks)
    : slice_(std::move(slice)),
      order_(Order::coloured(slice_.own, std::move(slice_.order))),
      ranks_(ranks),
      halo_(slice_, partition, ranks),
      borders_(border_blocks()),
      constant_(model.constant()),
      beta_(beta),
      variables_(partition.variables),
      facts_(facts_of_slices(model).times(beta)) {}

std::vector<std::uint8_t> SlicedElbo::border_blocks() {
  const auto copied = halo_.is_copied(slice_.own);
  std::vector<std::uint8_t> borders(order_.colouring().block_ends.size(), 0);
  for (std::size_t b = 0; b < borders.size(); ++b)
    for (const Index i : in_block(b)) borders[b] |= copied[i];
  return borders;
}

std::span<const Index> SlicedElbo::in_block(std::size_t block) {
  const Colouring& shape = order_.colouring();
  const auto end_of = [&](std::size_t classes) {
    return classes == 0 ? 0 : shape.class_ends[classes - 1];
  };
  const std::size_t first = block == 0 ? 0 : end_of(shape.block_ends[block - 1]);
  return order_.epoch(0).subspan(first, end_of(shape.block_ends[block]) - first);
}

Facts SlicedElbo::facts_of_slices(const BinaryField& model) {
  FieldSizes sizes;
  std::string violation;
  const PairwiseField& field = slice_.field;
  for (Index i = 0; i < slice_.own; ++i) {
    const std::size_t first = field.start[i];
    const std::size_t last = field.start[i + 1];
    std::size_t behind = first;
    while (behind < last && slice_.in_model(field.neighbour[behind]) < slice_.in_model(i)) ++behind;
    sizes.add(i, field.bias[i], std::span(field.coupling).subspan(first, last - first),
              last - behind);
    for (std::size_t e = behind; e < last && violation.empty(); ++e)
      if (field.coupling[e] > 0)
        violation = message("pair ", slice_.in_model(i), "-", slice_.in_model(field.neighbour[e]),
                            " has coupling ", field.coupling[e],
                            ", which must be <= 0 for a submodular field");
  }
  ranks_.together([&] {
    require(violation.empty(), violation,
            "; over ranks no variables are flipped, which `surefield infer` tries");
  });
  FieldSizes all;
  all.magnitude.add(ranks_.sum(sizes.magnitude.exact()));
  all.value_error.add(ranks_.sum(sizes.value_error.exact()));
  all.gain_error_sum.add(ranks_.sum(sizes.gain_error_sum.exact()));
  all.gain_error = ranks_.largest(sizes.gain_error);
  return all.facts(model.constant(), model.variables(), model.edge_ends() / 2,
                   model.inherited_error(), std::nullopt);
}

void SlicedElbo::begin_with(BlockSum& sum, double first) const {
  const bool mine =
      variables_ == 0 ? ranks_.is_first() : !slice_.blocks.empty() && slice_.blocks.front() == 0;
  if (mine) sum.add(0, first);
}

double SlicedElbo::value(const Objective& at) {
  BlockSum extension;
  begin_with(extension, constant_);
  for (Index i = 0; i < slice_.own;
       ++i) {  // as PairwiseField::State::value, every edge from both ends
    const double bias = slice_.field.bias[i];
    extension.add(i, at.coordinate(i) * (bias + (at.state().partial(i) - bias) / 2));
  }
  BlockSum sum;
  begin_with(sum, beta_ * ranks_.sum(extension.exact()).value());
  add_entropies(sum, slice_.own, [&](Index i) { return at.coordinate(i); });
  return ranks_.sum(sum.exact()).value();
}

Report SlicedElbo::ascend(std::vector<double> from, const Box& box,
                          const CoordinateAscentOptions& options) {
  const std::size_t number = ascents_++;
  const bool saves = checkpoint_ != nullptr && !cut_short_;
  SavedAscent saved;
  if (checkpoint_ != nullptr)
    if (auto found = checkpoint_->find(number)) saved = std::move(*found);
  if (saved.done)
    return {.status = saved.status,
            .point = std::move(saved.point),
            .value = saved.value,
            .upper_bound = {},
            .epochs = saved.epochs,
            .trace = {}};
  if (!saved.point.empty()) from = std::move(saved.point);
  halo_.begin(from);
  Objective state(slice_.field.at(from), beta_);
  from = std::vector<double>();  // `{}` would keep its memory
  // Nobody may leave a round before the others: time is asked for between rounds, by all.
  const Budget budget = Budget().with_threads(options.budget.threads());
  std::optional<BlockAscent<Objective, ManyRanks>> ascent;
  ascent.emplace(state, box, order_, slice_.field.neighbours(), options.tolerance, budget,
                 ManyRanks(halo_, borders_, ranks_));
  if (saved.phase == AscentPhase::kAwake)
    ascent->wake_only([&](Index i) { return saved.awake[i] != 0; });
  const auto watch = [&](const Report& now, AscentPhase next) {
    if (!saves || !(now.status == Status::kInterrupted || checkpoint_->due())) return;
    SavedAscent left{.done = false,
                     .status = now.status,
                     .epochs = now.epochs,
                     .value = 0,
                     .phase = next,
                     .point = point_of(state),
                     .awake = {}};
    if (next == AscentPhase::kAwake) {
      left.awake.resize(slice_.own);
      for (Index i = 0; i < slice_.own; ++i) left.awake[i] = ascent->is_awake(i) ? 1 : 0;
    }
    checkpoint_->save(number, left);
  };
  SlicedLog log(
      options, [&] { return spent(options.budget); }, [&] { return value(state); }, watch);
  log.report.epochs = saved.epochs;
  CoordinateAscentOptions how = options;
  how.neighbours = slice_.field.neighbours();
  if (saved.epochs < static_cast<double>(options.epochs))
    detail::ascend_by_blocks(*ascent, variables_, how, log, saved.phase);
  Report report = std::move(log.report);
  ascent.reset();  // its memory is that of the point
  report.value = value(state);
  report.point = point_of(state);
  if (saves && report.status != Status::kInterrupted)
    checkpoint_->save(number, {.done = true,
                               .status = report.status,
                               .epochs = report.epochs,
                               .value = report.value,
                               .phase = {},
                               .point = report.point,
                               .awake = {}});
  return report;
}

Report SlicedElbo::pass(const Box& box, const NamedRule& rule, bool reversed,
                        const Budget& budget) {
  Report report;
  report.epochs = 1;
  const double start = value(box.low);
  halo_.begin_anew();
  DoubleGreedyPass pass(Objective(slice_.field.at(box.low), beta_),
                        Objective(slice_.field.at(box.high), beta_), rule,
                        pass_rounding(facts_, variables_));
  const Colouring& shape = order_.colouring();
  const auto settle = [&](std::size_t first, std::size_t last, bool border) {  // blocks of a wave
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t block = reversed ? first + last - 1 - k : k;
      if ((borders_[block] != 0) != border) continue;
      const std::span<const Index> list = in_block(block);
      for (std::size_t p = 0; p < list.size(); ++p)
        pass.settle(list[reversed ? list.size() - 1 - p : p]);
    }
  };
  for (std::size_t k = 0; k < shape.wave_ends.size(); ++k) {
    const std::size_t wave = reversed ? shape.wave_ends.size() - 1 - k : k;
    const std::size_t first = wave == 0 ? 0 : shape.wave_ends[wave - 1];
    settle(first, shape.wave_ends[wave], true);
    halo_.send(
        wave, [&](Index i) { return pass.points().bottom().coordinate(i); },
        [](Index) { return false; });
    settle(first, shape.wave_ends[wave], false);
    halo_.receive([&](Index i, double u) { pass.put(i, u); }, [](Index) {});
    if (spent(budget)) {
      report.status = Status::kInterrupted;
      break;
    }
  }
  report.value = value(pass.points().bottom());
  report.point = point_of(pass.points().bottom());
  const bool antitone = !ranks_.any(!pass.antitone());
  if (!antitone)
    throw Contradiction(
        "F is taken to be submodular, but a gain rose on the way from the bottom of the box to its "
        "top; nothing is "
        "certified");
  const double loss = ranks_.sum(pass.loss().exact()).value();
  const double path = ranks_.sum(pass.path().exact()).value();
  if (report.status != Status::kInterrupted)
    report.upper_bound = pass_bound(start, report.value, loss, path, pass.rounding());
  return report;
}

}  // namespace surefield
