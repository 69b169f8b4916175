// A value as bytes, and back: for results that another process made. The bytes are this machine's; both ends run the
// same program.
//
// Numbers, enumerations, text, vectors, optionals, pairs, what a shared pointer points to, and structs of these that say what they hold:
//
//   inline auto fields_of(Row& row) {
//     auto& [first, second] = row;         // does not compile once there is a third: none can be forgotten
//     return std::tie(first, second);
//   }
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "surefield/core/error.hpp"

namespace surefield {

/// The same text, for as long as the program runs: names that are views of a table here are so there.
std::string_view lasting(const std::string& text);

namespace detail {

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
constexpr bool kIsPair = false;
template <class A, class B>
constexpr bool kIsPair<std::pair<A, B>> = true;
template <class T>
constexpr bool kIsShared = false;
template <class T>
constexpr bool kIsShared<std::shared_ptr<const T>> = true;
template <class T>
constexpr bool kIsVector = false;
template <class T>
constexpr bool kIsVector<std::vector<T>> = !std::is_same_v<T, bool>;

struct Packer {
  static constexpr bool kReads = false;
  void raw(const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  }
  std::string bytes;
};

struct Unpacker {
  static constexpr bool kReads = true;
  void raw(void* to, std::size_t size) {
    require(size <= bytes.size(), "unpacking: ", bytes.size(), " bytes are left, but a value has ",
            size);
    if (size > 0) std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  }
  std::string_view bytes;
};

/// Writes the value to the way, or reads it from there.
template <class Way, class T>
void pass(Way& way, T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    way.raw(&value, sizeof value);
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    std::string text(value);
    pass(way, text);
    if constexpr (Way::kReads) value = lasting(text);
  } else if constexpr (kIsOptional<T>) {
    bool there = value.has_value();
    pass(way, there);
    if constexpr (Way::kReads) there ? void(value.emplace()) : value.reset();
    if (there) pass(way, *value);
  } else if constexpr (kIsShared<T>) {
    using Pointed = std::remove_const_t<typename T::element_type>;
    bool there = value != nullptr;
    pass(way, there);
    if constexpr (Way::kReads) {
      std::shared_ptr<Pointed> made = there ? std::make_shared<Pointed>() : nullptr;
      if (there) pass(way, *made);
      value = std::move(made);
    } else if (there) {
      pass(way, const_cast<Pointed&>(*value));  // which is only read
    }
  } else if constexpr (kIsVector<T> || std::is_same_v<T, std::string>) {
    std::uint64_t size = value.size();
    pass(way, size);
    if constexpr (Way::kReads) value.resize(size);
    if constexpr (std::is_arithmetic_v<typename T::value_type>)
      way.raw(value.data(), size * sizeof(typename T::value_type));
    else
      for (auto& element : value) pass(way, element);
  } else if constexpr (kIsPair<T>) {
    pass(way, value.first);
    pass(way, value.second);
  } else {
    std::apply([&way](auto&... field) { (pass(way, field), ...); }, fields_of(value));
  }
}

}  // namespace detail

template <class T>
std::string packed(T value) {
  detail::Packer way;
  detail::pass(way, value);
  return std::move(way.bytes);
}

/// Throws Error unless the bytes are those of one T.
template <class T>
T unpacked(std::string_view bytes) {
  detail::Unpacker way{bytes};
  T value{};
  detail::pass(way, value);
  require(way.bytes.empty(), "unpacking: ", way.bytes.size(),
          " bytes are left behind the last value");
  return value;
}

}  // namespace surefield
