// Bad input ends here: one exception type whose message names the thing, its value and the rule.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace surefield {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

namespace detail {

/// A number as a person would write it: the shortest text that reads back to the same value.
std::string text_of(double value);
std::string text_of(long long value);
std::string text_of(unsigned long long value);

template <class T>
std::string message_part(const T& part) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return std::string(std::string_view(part));
  else if constexpr (std::is_floating_point_v<T>)
    return text_of(static_cast<double>(part));
  else if constexpr (std::is_same_v<T, char>)
    return std::string(1, part);
  else if constexpr (std::is_signed_v<T>)
    return text_of(static_cast<long long>(part));
  else
    return text_of(static_cast<unsigned long long>(part));
}

}  // namespace detail

/// The parts of a message, numbers included, in one string.
template <class... Parts>
std::string message(const Parts&... parts) {
  return (std::string() + ... + detail::message_part(parts));
}

template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw Error(message(parts...));
}

/// Throws Error with the parts as its message unless the rule holds. For input, never for bugs.
template <class... Parts>
void require(bool rule, const Parts&... parts) {
  if (!rule) [[unlikely]]
    fail(parts...);
}

}  // namespace surefield
