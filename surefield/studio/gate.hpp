// Who may ask: decided from the head of a request, before its body is read.
//
//   Host      127.0.0.1:port or localhost:port, exactly; else a page of another name that resolves to this machine (DNS
//             rebinding) could speak to the server as its own
//   Origin    where a browser sends one: the server's own; Sec-Fetch-Site likewise same-origin or none
//   token     of everything below /api/: in the field X-Surefield-Token, compared in constant time. No cookie holds it, so no
//             other page can make a browser send it
//
// The page itself, its script and its style hold nothing secret and need no token.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/studio/http.hpp"

namespace surefield::studio {

/// 128 bits from the system, in 32 hexadecimal digits.
std::string fresh_token();

class Gate {
 public:
  Gate(unsigned port, std::string token);
  /// Why the request is refused; nothing if it may pass.
  std::optional<Response> operator()(const Request& request) const;

 private:
  std::vector<std::string> hosts_;
  std::string token_;
};

}  // namespace surefield::studio
