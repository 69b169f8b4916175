// A whole file in memory, and the context every refusal of its content carries.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {

/// `-` is stdin, which can be read once: asked for again, it is refused (a file of that name is
/// `./-`). Throws Error if the file cannot be read. A pipe or a device is read to its end, up to
/// 1 GiB.
std::string read_file(const std::string& path);

/// What `action` returns; if it refuses, its message with the file's name before it.
template <class Action>
auto naming_file(std::string_view name, Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (const Error& error) {
    throw Error(message(name, ": ", error.what()));
  }
}

}  // namespace surefield
