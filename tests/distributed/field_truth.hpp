// Random fields, what is asked of each, and what the algorithms of one process say: the truth that answers over ranks are held to.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/api/certify.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/io/formats.hpp"

namespace surefield::testing {

/// A sparse field of any shape: chains, grids of odd widths, random graphs; some variables fixed.
ModelFile random_file(std::uint64_t seed);

/// What is asked of field k.
struct Question {
  InferOptions infer;
  bool proves;
};
Question question_of(int k);

struct Proof {
  double value, bound;
  std::string method;
  Status status;
  std::vector<double> point;
};
inline auto fields_of(Proof& proof) {
  auto& [value, bound, method, status, point] = proof;
  return std::tie(value, bound, method, status, point);
}

/// What the algorithms of one process say of a field.
struct Truth {
  int field = 0;
  double elbo = 0;
  std::optional<double> elbo_lower, upper_bound, log_z_lower, log_z_upper;
  std::string words;  // status, guarantee and methods
  std::vector<double> marginals;
  std::optional<Proof> proof;
};
inline auto fields_of(Truth& truth) {
  auto& [field, elbo, elbo_lower, upper_bound, log_z_lower, log_z_upper, words, marginals, proof] =
      truth;
  return std::tie(field, elbo, elbo_lower, upper_bound, log_z_lower, log_z_upper, words, marginals,
                  proof);
}

/// All that an answer says but numbers.
std::string words_of(const Result& result);

constexpr Index kLogZTile = 160;  // a few rows: fields of some hundred variables have several
constexpr Index kProofTile = 40;
CertifyOptions proof_options(const InferOptions& options);

/// A point of the box at random, whose proof is asked for, and its ELBO.
std::pair<std::vector<double>, double> point_to_prove(const ModelFile& file,
                                                      const InferOptions& options);
/// Whether a proof by tiles can be.
bool has_tiles(const ModelFile& file);

Truth truth_of(int k);

}  // namespace surefield::testing
