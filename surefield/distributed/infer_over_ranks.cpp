#include "surefield/distributed/infer_over_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/best_start.hpp"
#include "surefield/api/named_rule.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/distributed/certify_over_ranks.hpp"
#include "surefield/distributed/log_z_over_ranks.hpp"
#include "surefield/distributed/sliced_elbo.hpp"
#include "surefield/distributed/sliced_point.hpp"
#include "surefield/objectives/elbo_error.hpp"

namespace surefield {
namespace {

void require_offered(const InferOptions& options, const AlgorithmRow& algorithm, Index variables) {
  const auto refuse = [](bool asked, std::string_view what, std::string_view why) {
    require(!asked, "over ranks: ", what, " is not offered: ", why,
            "; `surefield infer` does it in one process");
  };
  const std::string name = "the algorithm " + std::string(algorithm.name);
  const bool at_once = algorithm.id == Algorithm::kContinuous ||
                       algorithm.id == Algorithm::kShrunkenFrankWolfe ||
                       algorithm.id == Algorithm::kTwoPhaseFrankWolfe;
  refuse(at_once, name, "it moves all variables by small steps, each a round of messages");
  refuse(algorithm.id == Algorithm::kGuarded, name, "its hint would have to be spread first");
  refuse(algorithm.id == Algorithm::kBest && variables < kLarge,
         name + " for fewer than 10000 variables",
         "it anneals and tries more starts than large models get");
  refuse(options.order == "natural" || options.order == "shuffled" || !options.given_order.empty(),
         "this order", "ranks can share the coloured one only");
  refuse(options.certify && variables < kLarge, "--certify for fewer than 10000 variables",
         "there is nothing to share");
}

/// All that the answer depends on, in words, so that a checkpoint is never taken for that of another run. The sums of sizes
/// stand for the numbers of the model.
std::string words_for(const InferOptions& options, const RankOptions& how, const BinaryField& model,
                      const Partition& partition, const Facts& facts) {
  return message(options.algorithm, " of ", model.variables(), " variables and ", model.edge_ends(),
                 " edge ends, sizes ", facts.magnitude, " and ", facts.gain_error_sum, ", beta ",
                 options.inverse_temperature, ", tolerance ", options.tolerance, ", epochs ",
                 options.epochs, ", start ",
                 how.start_file.empty() ? options.start : how.start_file, ", seed ", options.seed,
                 options.contract ? ", contracted" : "", options.polish ? ", polished" : "",
                 ", epsilon ", options.epsilon.value_or(0), ", blocks of ", partition.block);
}

/// A run of the algorithm that was asked for, on the slice of this rank.
class SlicedRun {
 public:
  SlicedRun(SlicedElbo& elbo, const InferOptions& options, const RankOptions& how, Index variables,
            const Communicator& ranks)
      : elbo_(elbo),
        options_(options),
        how_(how),
        algorithm_(algorithm_named(options.algorithm)),
        variables_(variables),
        ranks_(ranks),
        tolerance_(options.tolerance) {}

  Report operator()() {
    if (options_.contract) contract();
    switch (algorithm_.id) {
      case Algorithm::kBest:
        return best();
      case Algorithm::kCoordinateAscent:
        return elbo_.ascend(start(), box(), ascent());
      default:
        return polished(pass(algorithm_.id, false), algorithm_.polished || options_.polish);
    }
  }

 private:
  /// Contracted, or the domain.
  const Box& box() const { return contracted_ ? *contracted_ : elbo_.slice().box; }

  CoordinateAscentOptions ascent() const {
    return {.epochs = options_.epochs,
            .tolerance = tolerance_,
            .trace = options_.trace,
            .budget = options_.budget};
  }

  std::vector<double> start() const {
    std::vector<double> x;
    if (!how_.start_file.empty())
      ranks_.together([&] { x = read_sliced_point(elbo_.slice(), variables_, how_.start_file); });
    else if (options_.start == "low")
      return box().low;
    else if (options_.start == "high")
      return box().high;
    else if (options_.start == "middle")
      return middle();
    else
      x = drawn_point(elbo_.slice(), options_.seed);
    const bool drawn = how_.start_file.empty();
    for (Index i = 0; i < x.size(); ++i)
      x[i] = box()[i].clamp(drawn ? box().low[i] + box()[i].width() * x[i] : x[i]);
    return x;
  }

  std::vector<double> middle() const {
    std::vector<double> x(box().size());
    for (Index i = 0; i < x.size(); ++i) x[i] = box()[i].clamp(box().low[i] + box()[i].width() / 2);
    return x;
  }

  void contract() {
    Box inner = box();
    const ContractionOptions how{.steps = variables_ < kLarge ? 60U : 8U,
                                 .slack = contraction_slack(elbo_.facts().gain_error),
                                 .budget = options_.budget};
    if (how.slack < 1 && elbo_.contract(elbo_.slice().box, inner, how))
      contracted_ = std::move(inner);
  }

  Report pass(Algorithm id, bool reversed) {
    NamedRule rule{id, {}, {}};
    if (options_.epsilon)
      rule.bisection = *options_.epsilon / static_cast<double>(std::max<Index>(1, variables_));
    return elbo_.pass(box(), rule, reversed, options_.budget);
  }

  Report polished(Report first, bool wanted) {
    if (!wanted || first.status == Status::kInterrupted) return first;
    Report second = elbo_.ascend(std::move(first.point), box(), ascent());
    second.epochs += first.epochs;
    second.upper_bound = first.upper_bound;
    return second;
  }

  /// As in one process for large models: two passes and the middle, told apart early, the best to the end.
  Report best() {
    tolerance_ = std::max(kStartsToldApart, options_.tolerance);
    contract();
    BestStart best(elbo_.facts().basis());
    const auto consider = [&](Report report) {
      best.consider(std::move(report));
      return best.is_open();
    };
    if (consider(polished(pass(Algorithm::kEqualised, false), true)) &&
        consider(polished(pass(Algorithm::kEqualised, true), true)))
      consider(elbo_.ascend(middle(), box(), ascent()));
    const bool go_on =
        best.report().status != Status::kInterrupted && tolerance_ > options_.tolerance;
    tolerance_ = options_.tolerance;
    return polished(std::move(best).take(), go_on);
  }

  SlicedElbo& elbo_;
  const InferOptions& options_;
  const RankOptions& how_;
  const AlgorithmRow& algorithm_;
  Index variables_;
  const Communicator& ranks_;
  std::optional<Box> contracted_;
  double tolerance_;
};

}  // namespace

Result infer_over_ranks(const BinaryField& model, const InferOptions& options,
                        const RankOptions& how, const Communicator& ranks, RankCost* cost) {
  require_valid(options);
  const Stopwatch watch;
  const AlgorithmRow& algorithm = algorithm_named(options.algorithm);
  const Index n = model.variables();
  require_offered(options, algorithm, n);
  const Partition partition = make_partition(model, how.block > 0 ? how.block : block_for(n),
                                             how.partition, options.seed, ranks);
  SlicedElbo elbo(read_slice(model, partition, ranks), partition, model,
                  options.inverse_temperature, ranks);
  if (cost != nullptr) cost->seconds_reading = watch.seconds();
  std::optional<Checkpoint> checkpoint;
  if (!how.checkpoint.folder.empty()) {
    require(
        !options.trace,
        "over ranks: --trace and --checkpoint exclude each other: what was traced is not saved");
    checkpoint.emplace(how.checkpoint, words_for(options, how, model, partition, elbo.facts()), n,
                       elbo.slice(), ranks);
    elbo.save_to(*checkpoint);
  }
  Result result;
  Report report;
  try {
    report = SlicedRun(elbo, options, how, n, ranks)();
    result.elbo = elbo.value(report.point);
    double error = elbo_error(elbo.facts(), n, result.elbo);
    if (!std::isfinite(result.elbo))
      throw Contradiction("the value of the point returned is not finite; nothing is certified");
    Claim best{"the best ELBO"};
    best.at_least({result.elbo - error, "the point returned", Basis::kProved});
    const auto is_proved = [&] {
      return best.high() && best.high()->value - result.elbo <=
                                options.wanted_gap * std::max(1.0, std::abs(result.elbo));
    };
    if (report.upper_bound)
      best.at_most({*report.upper_bound,
                    algorithm.id == Algorithm::kBest ? "passes of double greedy"
                                                     : std::string(algorithm.name),
                    elbo.facts().basis()});
    Claim log_z{"log Z"};
    CertifyOptions proof{.inverse_temperature = options.inverse_temperature,
                         .wanted_gap = options.wanted_gap,
                         .tiled_items = how.tiled_items,
                         .tile = how.tile};
    const bool go_on = report.status != Status::kInterrupted && !ranks.any(options.budget.spent());
    if ((algorithm.id == Algorithm::kBest || options.certify) && go_on) {
      if (const auto found =
              log_z_over_ranks(model, options.inverse_temperature, options.budget, ranks)) {
        proof.known_bound = found->upper;
        best.at_most({found->upper, "an upper bound of log Z", Basis::kProved});
        if (found->is_of_box) log_z.at_most({found->upper, "forests", Basis::kProved});
      }
    }
    if (options.certify && go_on && !is_proved()) {
      proof.budget = options.budget.within(*options.certify);
      if (auto found =
              certify_over_ranks(model, elbo.slice(), report.point, result.elbo, proof, ranks)) {
        best.at_most(found->bound);
        report.point = std::move(found->point);
        result.elbo = elbo.value(report.point);
        error = elbo_error(elbo.facts(), n, result.elbo);
        best.at_least({result.elbo - error, "the point returned", Basis::kProved});
      }
    }
    log_z.at_least({result.elbo - error, "mean field", Basis::kProved});
    result.status = report.status;
    if (options.certify && !is_proved()) {
      if (result.status != Status::kInterrupted) result.status = Status::kShort;
      result.notes.push_back(
          message("the gap asked for, ", options.wanted_gap, " relative, was not reached"));
    }
    result.elbo_lower = result.log_z_lower = result.elbo - error;
    if (log_z.high()) result.log_z_upper = log_z.high()->value;
    result.log_z_method = log_z.method();
    result.basis = std::max(best.basis(), log_z.basis());
    result.guarantee = guarantee_of(elbo.facts(), "", options, report.status);
    if (best.high()) {
      result.upper_bound = best.high()->value;
      result.upper_bound_method = best.high()->method;
      result.certified_global = std::abs(result.elbo - *result.upper_bound) <=
                                1e-6 * std::max(1.0, std::abs(result.elbo));
      result.guarantee += "; the upper bound is " + std::string(text_of(best.basis())) + " by " +
                          result.upper_bound_method;
    }
  } catch (const Contradiction& contradiction) {
    result.status = Status::kFailed;
    result.guarantee = "none: the run failed";
    result.notes.emplace_back(contradiction.what());
  }
  if (checkpoint && !checkpoint->failure().empty())
    result.notes.push_back("the checkpoint could not be written: " + checkpoint->failure());
  if (checkpoint && result.status == Status::kInterrupted)
    result.notes.push_back("--checkpoint " + how.checkpoint.folder + " --resume goes on from here");
  result.command = "infer";
  result.model_kind = PairwiseField::kKind;
  result.items = model.items();
  result.size = n;
  result.objective = "elbo";
  result.algorithm = options.algorithm;
  if (result.status != Status::kFailed) {
    if (how.marginals_file.empty())
      result.marginals = gathered_point(elbo.slice(), n, report.point, ranks);
    else
      write_sliced_point(elbo.slice(), n, report.point, how.marginals_file, ranks);
  }
  result.marginals_file = how.marginals_file;
  result.trace = std::move(report.trace);
  result.seed = options.seed;
  result.threads = options.budget.threads();
  result.inverse_temperature = options.inverse_temperature;
  result.seconds = watch.seconds();
  if (cost != nullptr) {
    cost->bytes_sent = ranks.sum(elbo.bytes_sent());
    cost->messages_sent = ranks.sum(elbo.messages_sent());
  }
  return result;
}

}  // namespace surefield
