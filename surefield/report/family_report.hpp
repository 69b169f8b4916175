// Families of models compared by hidden items, as text, JSON and CSV.
//
// CSV: one line a family, the measures over the held-out sets of all folds.
#pragma once

#include <string>

#include "surefield/api/family_choice.hpp"

namespace surefield {

std::string family_text(const FamilyChoice& choice);
std::string family_json(const FamilyChoice& choice);
std::string family_csv(const FamilyChoice& choice);

}  // namespace surefield
