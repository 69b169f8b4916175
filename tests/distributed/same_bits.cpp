// Run under mpirun: random fields through the algorithms over ranks and through those of one process, bit by bit.
//
//   same_bits FOLDER COUNT [FIRST]        exit code 0 if all bits agree, on every rank
//
// Every field is solved by all ranks, on one and two threads in turn, and by one of the ranks alone with the algorithms of api/, in the
// coloured order. The first dozen are shared by blocks, by Scotch and at random, the others in one of these ways in turn. The blocks are of
// 64 variables, so that fields of a few hundred have borders, and borders of borders. Some runs are ended and resumed on the way.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/distributed/certify_over_ranks.hpp"
#include "surefield/distributed/infer_over_ranks.hpp"
#include "surefield/distributed/log_z_over_ranks.hpp"
#include "tests/distributed/field_truth.hpp"
#include "tests/distributed/saved_ascents.hpp"

namespace {

using namespace surefield;
using namespace surefield::testing;

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// Of some fields, each by one rank, for all.
std::vector<Truth> truths(int first, int last, const Communicator& ranks) {
  std::vector<Truth> own;
  for (int k = first; k < last; ++k)
    if (k % ranks.size() == ranks.rank()) own.push_back(truth_of(k));
  const std::string bytes = packed(own);
  std::vector<Truth> all(static_cast<std::size_t>(last - first));
  for (const auto& theirs : ranks.gather_to_all(std::span<const char>(bytes)))
    for (Truth& truth :
         unpacked<std::vector<Truth>>(std::string_view(theirs.data(), theirs.size()))) {
      const auto at = static_cast<std::size_t>(truth.field - first);
      all[at] = std::move(truth);
    }
  return all;
}

/// What differs, in words; empty if nothing does.
std::string difference(const Truth& one, const Result& many, bool first) {
  if (!same(one.elbo, many.elbo)) return message("elbo ", one.elbo, " and ", many.elbo);
  if (!same(one.elbo_lower, many.elbo_lower)) return "the lower end of the elbo";
  if (!same(one.upper_bound, many.upper_bound))
    return message("upper bound ", one.upper_bound.value_or(-1), " and ",
                   many.upper_bound.value_or(-1));
  if (!same(one.log_z_lower, many.log_z_lower)) return "the lower end of log Z";
  if (one.words != words_of(many)) return one.words + " / " + words_of(many);
  if (!first) return "";
  if (one.marginals.size() != many.marginals.size()) return "the number of marginals";
  for (Index i = 0; i < one.marginals.size(); ++i)
    if (!same(one.marginals[i], many.marginals[i])) return message("marginal ", i);
  return "";
}

/// The upper bound of log Z by tiles.
std::string log_z_difference(const Truth& one, const BinaryField& model,
                             const InferOptions& options, const Communicator& ranks, int& bounds) {
  const auto many =
      log_z_over_ranks(model, options.inverse_temperature, options.budget, ranks, kLogZTile, 0);
  if (!many) return "";
  bounds += model.variables() > kLogZTile;
  bool of_sets = true;  // every item in, out or free
  for (Index i = 0; i < model.variables(); ++i) of_sets &= is_of_sets(model.interval(i));
  if (many->is_of_box != of_sets) return "whether log Z is of the sets of the box";
  return same(one.log_z_upper, many->upper)
             ? ""
             : message("log Z <= ", one.log_z_upper.value_or(-1), " and ", many->upper);
}

/// The proof of a point by tiles of some forty nodes, their cuts shared.
std::string proof_difference(const Truth& truth, const ModelFile& file, const BinaryField& model,
                             const InferOptions& options, const std::string& partition,
                             const Communicator& ranks, int& proofs) {
  if (!has_tiles(file)) return "";
  const auto [x, value] = point_to_prove(file, options);
  const FieldSlice slice =
      read_slice(model, make_partition(model, 64, partition, options.seed, ranks), ranks);
  std::vector<double> own(slice.size());
  for (Index i = 0; i < own.size(); ++i) own[i] = x[slice.in_model(i)];
  const auto many = certify_over_ranks(model, slice, own, value, proof_options(options), ranks);
  const auto& one = truth.proof;
  if (one.has_value() != many.has_value()) return "whether there is a proof";
  if (!one) return "";
  proofs += one->method == "minimum cuts" && model.variables() > 2 * kProofTile;
  if (!same(one->bound, many->bound.value) || one->method != many->bound.method)
    return message("elbo <= ", one->bound, " by ", one->method, " and ", many->bound.value, " by ",
                   many->bound.method);
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

/// How often what is to be tested came up.
struct Seen {
  std::uint64_t letters = 0;
  int disturbances = 0, bounds = 0, proofs = 0;
};

constexpr int kEveryWay = 12, kOftenEnded = 100;  // fields

/// One field by every partition, or by one of them. What differs.
std::string differs_from(const Truth& truth, const std::string& folder, const Communicator& ranks,
                         Seen& seen) {
  const int k = truth.field;
  const ModelFile file = random_file(static_cast<std::uint64_t>(k));
  const std::string path = folder + "/field.sfm";
  if (ranks.is_first()) write_model(path, file);
  ranks.together([] {});
  const BinaryField model(path);
  auto [options, proves] = question_of(k);
  int time = 0;
  for (const char* const partition : {"blocks", "scotch", "random"}) {
    const int now = time++;
    const bool chosen = now == k / 15 % 3;  // whatever is asked of it
    if (k >= kEveryWay && !chosen) continue;
    options.budget = Budget().with_threads(1 + static_cast<unsigned>((k / 45 + now) % 2));
    RankOptions how{.partition = partition};
    if (chosen && (k < kOftenEnded ? k % 8 == 1 || k % 10 == 5 : k % 40 == 5))
      how.checkpoint = {.folder = message(folder, "/saved-", k), .every = 0};
    RankCost cost;
    const Result many = disturbed(model, options, how, ranks, cost, seen.disturbances);
    seen.letters += cost.messages_sent;
    // What follows is of all ranks together: where one of them goes no further, none does.
    std::string differs = difference(truth, many, ranks.is_first());
    if (chosen && !ranks.any(!differs.empty()))
      differs = log_z_difference(truth, model, options, ranks, seen.bounds);
    if (chosen && proves && !ranks.any(!differs.empty()))
      differs = proof_difference(truth, file, model, options, partition, ranks, seen.proofs);
    if (ranks.any(!differs.empty()))
      return differs.empty()
                 ? "as another rank says"
                 : message(options.algorithm, " from ", options.start, " by ", partition, " on ",
                           options.budget.threads(), " threads: ", differs);
  }
  return "";
}

int run(const Communicator& ranks, const std::string& folder, int count, int begin) {
  constexpr int kAtOnce = 48;
  const int end = begin + count;
  if (!saved_ascents_are_found_whole(folder, ranks)) return 1;
  Seen seen;
  for (int first = begin; first < end; first += kAtOnce)
    for (const Truth& truth : truths(first, std::min(end, first + kAtOnce), ranks))
      if (const std::string differs = differs_from(truth, folder, ranks, seen); !differs.empty()) {
        std::fprintf(stderr, "field %d, rank %d of %d: %s\n", truth.field, ranks.rank(),
                     ranks.size(), differs.c_str());
        return 1;
      }
  const auto too_few = [&](bool few, const std::string& what) {
    if (few && ranks.is_first()) std::fprintf(stderr, "%s\n", what.c_str());
    return few;
  };
  if (too_few(ranks.size() > 1 && seen.letters == 0,
              "no rank had anything to tell another: this tests nothing") ||
      too_few(seen.disturbances == 0, "no run was disturbed: resuming is not tested") ||
      too_few(10 * seen.proofs < count,
              message("of ", count, " fields only ", seen.proofs, " have a proof by tiles")) ||
      too_few(4 * seen.bounds < count,
              message("of ", count, " fields only ", seen.bounds, " have tiles for log Z")))
    return 1;
  if (ranks.is_first())
    std::printf(
        "%d fields, %d ranks: every bit agrees (%d proofs, %d bounds of log Z, %d times "
        "resumed)\n",
        count, ranks.size(), seen.proofs, seen.bounds, seen.disturbances);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Communicator ranks(&argc, &argv);
  try {
    return run(ranks, argv[1], std::atoi(argv[2]), argc > 3 ? std::atoi(argv[3]) : 0);
  } catch (const std::exception& error) {
    ranks.abort(error.what());
  }
}
