// SUREFIELD_ASSERT(condition): a bug, never bad input. Alive in dev and sanitizer builds only.
#pragma once

#ifdef SUREFIELD_ASSERTIONS
#include <stdexcept>
#define SUREFIELD_ASSERT(condition)                                                             \
  do {                                                                                          \
    if (!(condition)) throw std::logic_error("surefield: a bug: " #condition " does not hold"); \
  } while (false)
#else
#define SUREFIELD_ASSERT(condition) static_cast<void>(0)
#endif
