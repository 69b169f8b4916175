// What learning came to, as text, JSON and CSV: one entry a model learned.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "surefield/api/fit.hpp"

namespace surefield {

struct FitEntry {
  std::string path;                ///< where the model was written; empty: nowhere
  std::optional<Index> fold = {};  ///< held out, from 1
  FitResult fit;
  std::optional<FoldLikelihood> held_out = {};
  std::optional<ItemJudgement> hidden = {};  ///< of the fold's sets
};

/// A line of the measures beside the baselines, and a warning where the model is no better.
std::string hidden_items_text(const ItemJudgement& hidden);

/// A line or two for one model.
std::string fit_text(const FitEntry& entry);
/// One object with an entry a model, epochs included.
std::string fit_json(std::span<const FitEntry> entries, const SetStatistics& statistics,
                     std::uint64_t seed);
/// A header, then a line a model, 17 digits; empty fields for what there is not.
std::string fit_csv(std::span<const FitEntry> entries);

}  // namespace surefield
