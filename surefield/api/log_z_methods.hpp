// The table of methods for log Z: one row a method, read by the front door, by `surefield list` and by
// the documents' test.
#pragma once

#include <span>
#include <string_view>

#include "surefield/api/log_z_task.hpp"

namespace surefield {

struct LogZMethodRow {
  std::string_view name;
  std::string_view side;        ///< exact, lower, upper, interval or estimate
  std::string_view applies;     ///< to what, in words
  std::string_view cost;        ///< in words
  void (*run)(LogZTask& task);  ///< throws Error where it does not apply, or costs too much
};

/// In the order in which they are tried.
std::span<const LogZMethodRow> log_z_methods();
/// Throws Error if there is no such row.
const LogZMethodRow& log_z_method(std::string_view name);

}  // namespace surefield
