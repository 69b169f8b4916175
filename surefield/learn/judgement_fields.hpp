// What judgements of hidden items hold, for core/packing.hpp.
#pragma once

#include <tuple>

#include "surefield/learn/item_baselines.hpp"

namespace surefield {

inline auto fields_of(MeanEstimate& estimate) {
  auto& [count, mean, standard_error] = estimate;
  return std::tie(count, mean, standard_error);
}

inline auto fields_of(ItemPrediction::HitRate& hit) {
  auto& [at, rate] = hit;
  return std::tie(at, rate);
}

inline auto fields_of(SetScore& score) {
  auto& [set, rank, reciprocal_rank, ndcg, hits] = score;
  return std::tie(set, rank, reciprocal_rank, ndcg, hits);
}

inline auto fields_of(ItemPrediction& prediction) {
  auto& [sets, left_out, hidden, hits, reciprocal_rank, rank, ndcg, coverage, by_set, complete] =
      prediction;
  return std::tie(sets, left_out, hidden, hits, reciprocal_rank, rank, ndcg, coverage, by_set,
                  complete);
}

inline auto fields_of(ItemJudgement& judged) {
  auto& [gain, popularity, co_occurrence, over_popularity, over_co_occurrence] = judged;
  return std::tie(gain, popularity, co_occurrence, over_popularity, over_co_occurrence);
}

}  // namespace surefield
