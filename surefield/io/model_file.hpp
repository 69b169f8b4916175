// What a model file holds: a model, the names of its items where the format keeps them, and the box
// its sets live in.
#pragma once

#include <string>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct ModelFile {
  AnyModel model;
  std::vector<std::string> items;  ///< one name per item, or none
  Box box;                         ///< inside [0, 1]^n; a point where an item is forced in or out
};

}  // namespace surefield
