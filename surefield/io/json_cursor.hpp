// A place in a JSON document that knows its path, so that every refusal names file and place.
//
//   model.json: /customers/2/items/0 is -3, which must be a whole number from 0 to 9
//
// A cursor points to the one above it and to the document; both must outlive it. Its path is put
// together only for a message.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

class JsonCursor {
 public:
  JsonCursor(const nlohmann::json& document, std::string_view file)
      : value_(&document), parent_(nullptr), file_(file) {}

  /// The member of an object.
  JsonCursor at(std::string_view key) const&;
  JsonCursor at(std::string_view key) const&& = delete;
  std::optional<JsonCursor> find(std::string_view key) const&;
  std::optional<JsonCursor> find(std::string_view key) const&& = delete;
  /// The element of an array, i < size().
  JsonCursor element(Index i) const&;
  JsonCursor element(Index i) const&& = delete;

  Index size() const;  ///< of an array
  double number() const;
  std::uint64_t whole(std::uint64_t low, std::uint64_t high) const;
  /// An index below `count` of something the message calls `what`.
  std::uint32_t index(Index count, std::string_view what) const;
  bool truth() const;
  const std::string& text() const;
  std::vector<double> numbers() const;
  std::vector<std::uint32_t> indices(Index count, std::string_view what) const;

  /// Throws Error if the object has a key that is not listed.
  void allow_only(std::initializer_list<std::string_view> keys,
                  std::span<const std::string_view> more = {}) const;

  bool is_array() const;
  bool is_text() const;
  bool is_top() const { return parent_ == nullptr; }
  std::string path() const;
  /// Throws Error: "file: path ...".
  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(file_, ": ", path(), " ", parts...);
  }
  /// What `action` returns; if it refuses, its message with the file and, below the top, the path
  /// before it.
  template <class Action>
  auto making(Action&& action) const {
    try {
      return std::forward<Action>(action)();
    } catch (const Error& error) {
      fail(file_, ": ", is_top() ? "" : path() + ": ", error.what());
    }
  }
  /// Throws Error: "file: path is ..., which must be ...".
  [[noreturn]] void refuse(std::string_view rule) const;

 private:
  JsonCursor(const nlohmann::json& value, const JsonCursor& parent, std::string_view key,
             Index index)
      : value_(&value), parent_(&parent), file_(parent.file_), key_(key), index_(index) {}

  const nlohmann::json* value_;
  const JsonCursor* parent_;
  std::string_view file_;
  std::string_view key_;  // of a member; none for an element
  Index index_ = 0;
};

/// Throws Error with file and line where the text is not JSON, or an object has a key twice.
nlohmann::json parse_json(std::string_view text, std::string_view name);

}  // namespace surefield
