// The frame of every JSON answer: its version and the command first, then what the command adds;
// and how it becomes text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace surefield {

inline nlohmann::ordered_json json_envelope(std::string_view command) {
  return {{"surefield", "1"}, {"command", command}};
}

/// Envelope and fields in one object.
inline nlohmann::ordered_json json_answer(std::string_view command,
                                          const nlohmann::ordered_json& fields) {
  nlohmann::ordered_json json = json_envelope(command);
  for (const auto& [key, value] : fields.items()) json[key] = value;
  return json;
}

/// An item name may hold any bytes: what is not UTF-8 is replaced, never thrown at the user.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace surefield
