#include "surefield/core/number_rule.hpp"

#include "surefield/core/error.hpp"

namespace surefield {

std::string words_of(const WholeRule& rule) {
  const bool open = rule.high == kCounted.high;
  return open ? message("a whole number >= ", rule.low)
              : message("a whole number from ", rule.low, " to ", rule.high);
}

}  // namespace surefield
