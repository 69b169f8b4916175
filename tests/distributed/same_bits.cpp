// Run under mpirun: random fields through the algorithms over ranks and through those of one process, bit by bit.
//
//   same_bits FOLDER COUNT        exit code 0 if all bits agree, on every rank
//
// Every field is solved by the ranks with three partitions and by each rank alone with the algorithms of api/, in the coloured
// order. The blocks are of 64 variables, so that fields of a few hundred have borders, and borders of borders.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "surefield/api/certify.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/bounds/elbo/cut_bound.hpp"
#include "surefield/core/random.hpp"
#include "surefield/distributed/certify_over_ranks.hpp"
#include "surefield/distributed/infer_over_ranks.hpp"
#include "surefield/distributed/log_z_over_ranks.hpp"
#include "surefield/distributed/sliced_point.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_pairwise.hpp"

namespace {

using namespace surefield;

/// A sparse field of any shape: chains, grids of odd widths, random graphs; some variables fixed or bounded.
ModelFile random_file(std::uint64_t seed) {
  Random random(seed);
  const auto n = static_cast<std::uint32_t>(random.below(seed % 10 == 0 ? 3 : 700));
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 4);
  std::vector<Edge> edges;
  const auto width = static_cast<std::uint32_t>(1 + random.below(90));
  const double scattered = random.chance(0.3) ? 0.5 : 0;  // edges a variable that go anywhere
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i + 1 < n && (i + 1) % width != 0) edges.push_back({i, i + 1, random.uniform(-4, 0)});
    if (i + width < n) edges.push_back({i, i + width, random.uniform(-4, 0)});
    if (const auto j = static_cast<std::uint32_t>(random.below(n));
        random.chance(scattered) && j != i)
      edges.push_back({i, j, random.uniform(-4, 0)});
  }
  ModelFile file{
      make_pairwise_field(std::move(bias), edges, random.uniform(-1, 1)), {}, unit_box(n)};
  for (Index i = 0; i < n; ++i)
    if (random.chance(0.05)) file.box.fix(i, random.chance(0.5) ? 1 : 0);
  return file;
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// What differs, in words; empty if nothing does.
std::string difference(const Result& one, const Result& many, bool first) {
  if (!same(one.elbo, many.elbo)) return message("elbo ", one.elbo, " and ", many.elbo);
  if (!same(one.elbo_lower, many.elbo_lower)) return "the lower end of the elbo";
  if (!same(one.upper_bound, many.upper_bound))
    return message("upper bound ", one.upper_bound.value_or(-1), " and ",
                   many.upper_bound.value_or(-1));
  if (one.status != many.status || one.guarantee != many.guarantee || one.basis != many.basis)
    return "status or guarantee: " + one.guarantee + " / " + many.guarantee;
  if (one.upper_bound_method != many.upper_bound_method || one.log_z_method != many.log_z_method ||
      !same(one.log_z_lower, many.log_z_lower) || one.certified_global != many.certified_global)
    return "methods";
  if (!first) return "";
  if (one.marginals.size() != many.marginals.size()) return "the number of marginals";
  for (Index i = 0; i < one.marginals.size(); ++i)
    if (!same(one.marginals[i], many.marginals[i])) return message("marginal ", i);
  return "";
}

/// The upper bound of log Z by tiles of a few rows, which fields of some hundred variables have several of.
std::string log_z_difference(const ModelFile& file, const BinaryField& model, double beta,
                             unsigned threads, const Communicator& ranks, int& bounds) {
  constexpr Index kTile = 160;
  const auto many = log_z_over_ranks(model, beta, Budget().with_threads(threads), ranks, kTile, 0);
  if (!many) return "";
  bounds += model.variables() > kTile;
  const PairwiseField& field = *file.model.as<PairwiseField>();
  Index free = 0;
  for (Index i = 0; i < file.box.size(); ++i) free += !file.box[i].is_point();
  const double one = forest_bound_by_tiles(
      field, file.box, {.beta = beta, .rounds = forest_rounds(free), .budget = {}}, kTile);
  return same(one, many->upper) ? "" : message("log Z <= ", one, " and ", many->upper);
}

/// The proof of a point by tiles of some forty nodes, their cuts shared, against that of one process.
std::string proof_difference(const ModelFile& file, const BinaryField& model,
                             const InferOptions& options, const std::string& partition,
                             const Communicator& ranks, int& proofs) {
  if (!attracting_flips(*file.model.as<PairwiseField>(), file.box)) return "";  // no tiles
  CertifyOptions how{.inverse_temperature = options.inverse_temperature,
                     .wanted_gap = 1e-4,
                     .effort = 1,
                     .budget = options.budget,
                     .tiled_items = 0,
                     .tile = 40};
  const Problem problem = make_problem(file.model, {}, file.box);
  std::vector<double> x(file.box.size());
  Random random(options.seed);
  for (Index i = 0; i < x.size(); ++i) x[i] = file.box[i].clamp(random.uniform());
  const double value = Elbo(file.model.at(x), how.inverse_temperature).value();
  const auto one = certify(problem, x, value, how);
  const FieldSlice slice =
      read_slice(model, make_partition(model, 64, partition, options.seed, ranks), ranks);
  std::vector<double> own = drawn_point(slice, options.seed);
  for (Index i = 0; i < own.size(); ++i) own[i] = slice.box[i].clamp(own[i]);
  const auto many = certify_over_ranks(model, slice, own, value, how, ranks);
  if (one.has_value() != many.has_value()) return "whether there is a proof";
  if (!one) return "";
  proofs += one->bound.method == "minimum cuts" && model.variables() > 2 * how.tile;
  if (!same(one->bound.value, many->bound.value) || one->bound.method != many->bound.method)
    return message("elbo <= ", one->bound.value, " by ", one->bound.method, " and ",
                   many->bound.value, " by ", many->bound.method);
  if (!same(one->value, many->value) || one->status != many->status)
    return message("after the proof elbo ", one->value, " and ", many->value);
  if (many->point.size() != slice.size()) return "the number of values after the proof";
  for (Index i = 0; i < slice.size(); ++i)
    if (!same(one->point[slice.in_model(i)], many->point[i]))
      return message("value ", slice.in_model(i), " after the proof");
  return "";
}

/// With checkpoints: ended a few times after so long that nobody can say where that is, or after every step of an ascent, whatever
/// it was to do next; and resumed under another partition.
Result disturbed(const BinaryField& model, const InferOptions& options, RankOptions how,
                 const Communicator& ranks, RankCost& cost, int& disturbances) {
  if (how.checkpoint.folder.empty()) return infer_over_ranks(model, options, how, ranks, &cost);
  const bool every_step = options.algorithm == "coordinate-ascent" && !options.contract;
  for (int attempt = 0;; ++attempt) {
    InferOptions hurried = options;
    if (attempt < (every_step ? 30 : 3))
      hurried.budget = options.budget.within(every_step ? 0 : 0.0005 * (1 + 4 * attempt));
    const Result result = infer_over_ranks(model, hurried, how, ranks, &cost);
    std::error_code ignored;
    const bool saved =
        !ranks.any(!std::filesystem::exists(how.checkpoint.folder + "/ascent-0", ignored));
    if (result.status != Status::kInterrupted) return result;
    ++disturbances;
    how.checkpoint.resume = saved;
    how.partition = how.partition == "random" ? "blocks" : "random";
  }
}

int run(const Communicator& ranks, const std::string& folder, int count) {
  const char* const algorithms[] = {"coordinate-ascent", "equalised", "dr-double-greedy", "bscb",
                                    "dg-mean-field-1/2"};
  const char* const starts[] = {"low", "high", "middle", "random"};
  std::uint64_t letters = 0;
  int disturbances = 0, bounds = 0, proofs = 0;
  for (int k = 0; k < count; ++k) {
    const auto seed = static_cast<std::uint64_t>(k);
    const ModelFile file = random_file(seed);
    const std::string path = folder + "/field.sfm";
    if (ranks.is_first()) write_model(path, file);
    ranks.together([] {});
    InferOptions options;
    options.algorithm = algorithms[k % 5];
    options.start = starts[k % 4];
    options.order = "coloured";
    options.contract = k % 3 == 0;
    options.inverse_temperature = k % 7 == 0 ? 0.5 : 1;
    options.seed = seed;
    options.budget = Budget().with_threads(1 + static_cast<unsigned>(k % 2));
    const BinaryField model(path);
    RankCost cost;
    const char* const partitions[] = {"blocks", "scotch", "random"};
    RankOptions how{.partition = partitions[k % 3]};
    if (k % 8 == 1 || k % 10 == 5)
      how.checkpoint = {.folder = message(folder, "/saved-", k), .every = 0};
    const Result many = disturbed(model, options, how, ranks, cost, disturbances);
    const Result one = infer(make_problem(file.model, {}, file.box), options);
    letters += cost.messages_sent;
    std::string differs = difference(one, many, ranks.is_first());
    // Log Z and proofs are of all ranks together: where one of them goes no further, none does.
    if (!ranks.any(!differs.empty()))
      differs = log_z_difference(file, model, options.inverse_temperature, options.budget.threads(),
                                 ranks, bounds);
    if (k % 3 == 1 && !ranks.any(!differs.empty()))  // every rank takes as long for its own proof
      differs = proof_difference(file, model, options, how.partition, ranks, proofs);
    if (!differs.empty())
      std::fprintf(stderr, "field %d, %s from %s by %s, rank %d of %d: %s\n", k, algorithms[k % 5],
                   starts[k % 4], partitions[k % 3], ranks.rank(), ranks.size(), differs.c_str());
    if (ranks.any(!differs.empty())) return 1;
  }
  if (ranks.size() > 1 && letters == 0) {
    std::fprintf(stderr, "no rank had anything to tell another: this tests nothing\n");
    return 1;
  }
  if (disturbances == 0) {
    std::fprintf(stderr, "no run was disturbed: resuming is not tested\n");
    return 1;
  }
  if (10 * proofs < count) {
    std::fprintf(stderr, "of %d fields only %d have a proof by tiles: it is not tested\n", count,
                 proofs);
    return 1;
  }
  if (4 * bounds < count) {
    std::fprintf(stderr, "of %d fields only %d have tiles: log Z is not tested\n", count, bounds);
    return 1;
  }
  if (ranks.is_first())
    std::printf("%d fields, %d ranks: every bit agrees (%d times resumed)\n", count, ranks.size(),
                disturbances);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Communicator ranks(&argc, &argv);
  try {
    return run(ranks, argv[1], std::atoi(argv[2]));
  } catch (const std::exception& error) {
    ranks.abort(error.what());
  }
}
