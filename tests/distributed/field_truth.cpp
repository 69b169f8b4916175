#include "tests/distributed/field_truth.hpp"

#include <cstdint>

#include "surefield/api/problem.hpp"
#include "surefield/bounds/elbo/cut_bound.hpp"
#include "surefield/bounds/log_z/hoelder/forest_tiles.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield::testing {

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
  if (seed % 7 == 3 && n > 0) file.box.low[n / 2] = 0.25, file.box.high[n / 2] = 0.75;
  return file;
}

Question question_of(int k) {
  const char* const algorithms[] = {"coordinate-ascent", "equalised", "dr-double-greedy", "bscb",
                                    "dg-mean-field-1/2"};
  const char* const starts[] = {"low", "high", "middle", "random"};
  Question question{.infer = {}, .proves = k % 3 == 1};
  question.infer.algorithm = algorithms[k % 5];
  question.infer.start = starts[k % 4];
  question.infer.order = "coloured";
  question.infer.contract = k % 3 == 0;
  question.infer.inverse_temperature = k % 7 == 0 ? 0.5 : 1;
  question.infer.seed = static_cast<std::uint64_t>(k);
  return question;
}

std::string words_of(const Result& result) {
  return message(static_cast<int>(result.status), " ", result.guarantee, " ", text_of(result.basis),
                 " ", result.upper_bound_method, " ", result.log_z_method,
                 result.certified_global ? " certified" : "");
}

CertifyOptions proof_options(const InferOptions& options) {
  return {.inverse_temperature = options.inverse_temperature,
          .wanted_gap = 1e-4,
          .effort = 1,
          .budget = options.budget,
          .tiled_items = 0,
          .tile = kProofTile};
}

std::pair<std::vector<double>, double> point_to_prove(const ModelFile& file,
                                                      const InferOptions& options) {
  std::vector<double> x(file.box.size());
  Random random(options.seed);
  for (Index i = 0; i < x.size(); ++i) x[i] = file.box[i].clamp(random.uniform());
  const double value = Elbo(file.model.at(x), options.inverse_temperature).value();
  return {std::move(x), value};
}

bool has_tiles(const ModelFile& file) {
  return attracting_flips(*file.model.as<PairwiseField>(), file.box).has_value();
}

Truth truth_of(int k) {
  const ModelFile file = random_file(static_cast<std::uint64_t>(k));
  const auto [options, proves] = question_of(k);
  const Problem problem = make_problem(file.model, {}, file.box);
  Result result = infer(problem, options);
  Truth truth{.field = k,
              .elbo = result.elbo,
              .elbo_lower = result.elbo_lower,
              .upper_bound = result.upper_bound,
              .log_z_lower = result.log_z_lower,
              .log_z_upper = {},
              .words = words_of(result),
              .marginals = std::move(result.marginals),
              .proof = {}};
  Index free = 0;
  for (Index i = 0; i < file.box.size(); ++i) free += !file.box[i].is_point();
  const PairwiseField& field = *file.model.as<PairwiseField>();
  try {
    truth.log_z_upper = forest_bound_by_tiles(
        field, file.box,
        {.beta = options.inverse_temperature, .rounds = forest_rounds(free), .budget = {}},
        kLogZTile);
  } catch (const Error&) {  // nobody has one
  }
  if (!proves || !has_tiles(file)) return truth;
  const auto [x, value] = point_to_prove(file, options);
  if (auto found = certify(problem, x, value, proof_options(options)))
    truth.proof = Proof{found->value, found->bound.value, found->bound.method, found->status,
                        std::move(found->point)};
  return truth;
}

}  // namespace surefield::testing
