// The frame of every JSON answer: its version and the command first, then what the command adds;
// and how it becomes text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/ordered_json.hpp"

namespace surefield {

inline OrderedJson json_envelope(std::string_view command) {
  return {{"surefield", "1"}, {"command", command}};
}

/// Envelope and fields in one object.
inline OrderedJson json_answer(std::string_view command, const OrderedJson& fields) {
  OrderedJson json = json_envelope(command);
  for (const auto& [key, value] : fields.items()) json[key] = value;
  return json;
}

/// An item name may hold any bytes: what is not UTF-8 is replaced, never thrown at the user.
inline std::string json_text(const OrderedJson& json) {
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

/// A JSON object as text with one field more at its end, "arguments": what to type after `surefield` to get it again.
/// Other text is left as it is.
inline std::string with_arguments(const std::string& json,
                                  const std::vector<std::string>& arguments) {
  const std::size_t end = json.find_last_not_of(" \n");
  if (end == std::string::npos || json.front() != '{' || json[end] != '}') return json;
  const std::string list =
      OrderedJson(arguments).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  const std::size_t last = json.find_last_not_of(" \n", end - 1);
  return json.substr(0, last + 1) + (last == 0 ? "" : ",") + "\n  \"arguments\": " + list + "\n}\n";
}

}  // namespace surefield
