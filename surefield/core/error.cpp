#include "surefield/core/error.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace surefield::detail {
namespace {

template <class T>
std::string shortest(T value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

}  // namespace

std::string text_of(double value) {
  if (std::isnan(value)) return "nan";
  return shortest(value);
}
std::string text_of(long long value) { return shortest(value); }
std::string text_of(unsigned long long value) { return shortest(value); }

}  // namespace surefield::detail
