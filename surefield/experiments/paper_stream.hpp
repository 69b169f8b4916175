// What the authors' code draws at random for each problem: the orders of its epochs and the random
// starts of coordinate ascent.
//
// One stream of NumPy's legacy generator, seed 99, over the categories in the order below. For each
// fold (ELBO), or pair of folds in lexicographic order (PA-ELBO): a permutation an epoch, 6 or 10
// of them, shared by all algorithms and dimensions; then for D = 2, 3, 10 in turn n uniform
// numbers, the start. For PA-ELBO the printed table restarts the stream for each category after the
// sixth; the values released with the code do not.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

struct PaperCategory {
  std::string_view name;
  Index items;
};

constexpr int kPaperFolds = 10;
constexpr std::array<Index, 3> kPaperDimensions{2, 3, 10};

/// All 13, in the order in which their numbers are drawn.
std::span<const PaperCategory> paper_categories();

/// Throws Error for a name that is not among them.
const PaperCategory& paper_category(std::string_view name);

/// Two different folds for a PA-ELBO; the second is 0 for an ELBO.
using PaperFolds = std::pair<int, int>;

struct PaperDraws {
  std::vector<std::vector<Index>> orders;     ///< one an epoch
  std::array<std::vector<double>, 3> starts;  ///< one for each of kPaperDimensions
};

using PaperStream = std::map<std::string_view, std::map<PaperFolds, PaperDraws>>;  ///< by category

PaperStream elbo_stream();
PaperStream agreement_stream(bool released);

/// The authors' model of one fold, from FLID text `<category>_flid_d_<D>_fold_<k>.txt`. Throws
/// Error if it cannot be read or has another number of items.
Problem read_paper_model(const std::string& folder, const PaperCategory& category, Index dimensions,
                         int fold);

/// Whether the folder has any file of the category.
bool has_paper_models(const std::string& folder, std::string_view category);

/// A sentence about the categories that the folder has no file of, or nothing.
std::vector<std::string> missing_categories(const std::string& folder,
                                            std::span<const std::string_view> categories);

}  // namespace surefield
