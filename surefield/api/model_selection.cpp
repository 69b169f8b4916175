#include "surefield/api/model_selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "surefield/api/fit_auto.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/at_inverse_temperature.hpp"

namespace surefield {
namespace {

const SelectRow& leader_of(const SelectResult& result) { return result.rows[result.winner]; }

/// Of the FLID to be compared with other families: that of the greatest likelihood, since by agreement alone the plainest may lead. None
/// where no other than 0 was tried: items by themselves are a family.
std::optional<Index> flid_among_families(const SelectResult& dimensions) {
  std::optional<Index> best;
  double greatest = -kInfinity;
  for (const SelectRow& row : dimensions.rows) {
    const double likely = row.likelihood ? row.likelihood->mean.low : -kInfinity;
    if (row.dimensions == 0 || (best && likely <= greatest)) continue;
    best = row.dimensions;
    greatest = likely;
  }
  return best;
}

/// Starts, epochs and noise as they were compared.
void learn_like(const SelectResult& dimensions, std::optional<Index> d, FitOptions& learn) {
  const Index plain = learn.nce.dimensions;
  learn.nce = dimensions.training;
  learn.nce.dimensions = d.value_or(plain);
}

}  // namespace

bool asks_for_both(std::span<const std::string> given) {
  return std::ranges::none_of(given, [](const std::string& name) {
    return name == "dims" || name == "beta" || name == "by" || name == "families";
  });
}

bool ModelSelection::complete() const {
  return (!dimensions || dimensions->complete) && (!families || families->complete);
}

bool ModelSelection::has_winner() const {
  return families ? !families->rows.empty() : dimensions && !dimensions->rows.empty();
}

std::string ModelSelection::winner() const {
  return families ? families->winner
                  : fmt::format("D = {}", leader_of(dimensions.value()).dimensions);
}

std::string ModelSelection::verdict() const {
  if (!dimensions) return families.value().verdict;
  return families ? dimensions->verdict + "; " + families->verdict : dimensions->verdict;
}

ModelSelection select_models(const SetCollection& data, const SelectWork& work, bool both,
                             const SelectOptions& how, FitOptions learn) {
  ModelSelection found;
  std::vector<std::string> families = work.families;
  const Budget within = how.deadline ? how.budget.within(*how.deadline) : how.budget;
  if (families.empty()) {
    SelectOptions part = how;
    if (both && how.deadline) part.deadline = *how.deadline / 2;
    found.dimensions = select_model(data, part);
    if (!both || !found.dimensions->complete || found.dimensions->rows.empty()) return found;
    const auto d = flid_among_families(*found.dimensions);
    families = families_to_compare(data.items);
    if (!d) std::erase(families, "flid");
    learn_like(*found.dimensions, d, learn);
  }
  learn.budget = within;
  found.families = choose_family(data, {.fit = &learn,
                                        .families = std::move(families),
                                        .folds = how.folds,
                                        .seed = how.seed,
                                        .work = how.work});
  return found;
}

AnyModel trained_on_all(const SetCollection& data, const ModelSelection& selected,
                        FitOptions learn) {
  if (selected.families) {
    if (selected.dimensions)
      learn_like(*selected.dimensions, flid_among_families(*selected.dimensions), learn);
    learn.model = selected.families->winner;
    return fit(data, learn).model;
  }
  const SelectRow& row = leader_of(selected.dimensions.value());
  learn_like(*selected.dimensions, row.dimensions, learn);
  learn.model = row.dimensions == 0 ? "modular" : "flid";
  return at_inverse_temperature(*fit(data, learn).model.as<Flid>(), row.inverse_temperature);
}

}  // namespace surefield
