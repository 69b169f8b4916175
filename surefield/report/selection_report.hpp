// Dimensions, families, or both after one another, as text, JSON and CSV. CSV has one table: families where they alone were compared.
#pragma once

#include <string>

#include "surefield/api/model_selection.hpp"

namespace surefield {

std::string selection_text(const ModelSelection& selected);
/// Of both that of the dimensions, with `families` in it.
std::string selection_json(const ModelSelection& selected);
std::string selection_csv(const ModelSelection& selected);

}  // namespace surefield
