// Posterior agreement as text, JSON and CSV: of two models in full, of many as a table of pairs.
// Every number says which side it is on.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "surefield/api/agree.hpp"

namespace surefield {

/// `names` are those of the two models; at most `most_items` marginals, 0 for all.
std::string agree_text(const AgreeResult& answer, std::span<const std::string> names,
                       std::size_t most_items = 20);
/// The result JSON of `infer` with pa_lower, pa_upper, pa_exact, pa_elbo, pa_elbo_lower, and the
/// log Zs.
std::string agree_json(const AgreeResult& answer, std::span<const std::string> names);

/// Tables of all pairs of the named models, one per inverse temperature; CSV: one line a pair.
std::string agree_pairs_text(std::span<const AgreePairs> tables,
                             std::span<const std::string> names);
std::string agree_pairs_json(std::span<const AgreePairs> tables,
                             std::span<const std::string> names);
std::string agree_pairs_csv(std::span<const AgreePairs> tables, std::span<const std::string> names);

}  // namespace surefield
