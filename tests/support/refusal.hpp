// What an action says when it refuses: the message of its Error, or a text no message equals if it
// did not throw.
#pragma once

#include <string>

#include "surefield/core/error.hpp"

namespace surefield::testing {

template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(nothing was refused)";
}

}  // namespace surefield::testing
