// Which model the sets bear: how many dimensions, which family, or one after the other.
//
//   dimensions   FLIDs of every D, by posterior agreement and held-out likelihood (api/select.hpp)
//   families     by hidden items and held-out likelihood (api/family_choice.hpp)
//   both         where no option asks for one of them: D first, then the most likely FLID among the other families
//
// All trainings of either have an amount of work, and of a deadline half each where both are asked for.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "surefield/api/family_choice.hpp"
#include "surefield/api/select.hpp"
#include "surefield/api/work.hpp"

namespace surefield {

/// Whether none of the options given, by name, asks for dimensions or families alone.
bool asks_for_both(std::span<const std::string> given);

struct ModelSelection {
  std::optional<SelectResult> dimensions;
  std::optional<FamilyChoice> families;  ///< none also where the dimensions were not all compared

  bool complete() const;
  /// Whether there is a model that leads.
  bool has_winner() const;
  /// "D = 3", or the family where families were compared.
  std::string winner() const;
  /// What decided, in a sentence, or two.
  std::string verdict() const;
};

/// `how` compares dimensions, `learn` learns families. Throws Error as select_model and choose_family do.
ModelSelection select_models(const SetCollection& data, const SelectWork& work, bool both,
                             const SelectOptions& how, FitOptions learn);

/// The model that leads, learned from all sets as those compared were.
AnyModel trained_on_all(const SetCollection& data, const ModelSelection& selected,
                        FitOptions learn);

}  // namespace surefield
