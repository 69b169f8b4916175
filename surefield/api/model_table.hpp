// The model families by name: one row each, with formula, cost and limits. `surefield list` and the
// documents read this table.
#pragma once

#include <span>
#include <string_view>

namespace surefield {

struct ModelRow {
  std::string_view kind;        ///< in native JSON and in results
  std::string_view formula;     ///< F(S)
  std::string_view cost;        ///< of one partial and one set
  std::string_view submodular;  ///< when F is
  std::string_view limits;
  std::string_view page;  ///< in docs/
};

std::span<const ModelRow> model_table();

}  // namespace surefield
