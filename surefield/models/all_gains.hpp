// What every item would add to a set, for many sets one after another.
//
//   gain_i(S) = F(S + i) - F(S)          for all i outside S
//
// Of a field the gains are its biases plus the couplings of the items of S: O(n + degrees of S), where its
// incremental set would look at every coupling of the model. Of a FLID u_i - sum_d min(max_S W_d, W_id), and as much more of an
// FLDC: O(n (D + E)) without a search. Of any other model: n gains of an incremental
// set, which is moved from the set before to this one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "surefield/models/any_model.hpp"

namespace surefield {

struct Fldc;
struct Flid;
struct PairwiseField;

class AllGains {
 public:
  /// The model must outlive this.
  explicit AllGains(const AnyModel& model);

  Index size() const { return inside_.size(); }
  /// Items of the set are below size(), each once; what is written for them is not to be read.
  void operator()(std::span<const std::uint32_t> set, std::span<double> gains);

 private:
  void move_to(std::span<const std::uint32_t> set);

  const PairwiseField* field_;
  const Flid* flid_;
  const Fldc* fldc_;
  std::optional<AnySet> set_;  // of other models
  std::vector<double> best_;   // of the set, by dimension or concept
  std::vector<std::uint32_t> now_;
  std::vector<std::uint8_t> inside_;
};

}  // namespace surefield
