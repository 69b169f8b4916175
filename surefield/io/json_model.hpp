// Native JSON: every kind of model, with the names of its items and a box, readable by people and
// by other programs.
//
//   {
//     "surefield": "1",
//     "kind": "flid",
//     "items": ["crib", "swing"],
//     "box": {"low": [0, 1], "high": [1, 1]},
//     "utility": [0.25, -1],
//     "weights": [[3, 0], [0.5, 1]]
//   }
//
// "items" and "box" may be left out. docs/file_formats.md shows every kind. Numbers read back to
// the same bits.
#pragma once

#include <string>
#include <string_view>

#include "surefield/io/model_file.hpp"

namespace surefield {

ModelFile parse_json_model(std::string_view text, std::string_view name);

/// The box is left out where it is [0, 1]^n, the names where there are none.
std::string json_model_text(const ModelFile& file);

}  // namespace surefield
