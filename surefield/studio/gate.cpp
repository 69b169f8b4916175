#include "surefield/studio/gate.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield::studio {
namespace {

bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference |=
        static_cast<unsigned char>(b[i]) ^ static_cast<unsigned char>(i < a.size() ? a[i] : 0);
  return difference == 0;
}

}  // namespace

std::string fresh_token() {
  std::array<unsigned char, 16> bytes{};
  require(getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
          "serve: the system gives no random numbers for a token");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Gate::Gate(unsigned port, std::string token) : token_(std::move(token)) {
  for (const char* name : {"127.0.0.1", "localhost"})
    hosts_.push_back(fmt::format("{}:{}", name, port));
}

std::optional<Response> Gate::operator()(const Request& request) const {
  const std::string& host = request.field("host");
  if (std::ranges::find(hosts_, host) == hosts_.end())
    return refusal(421, fmt::format("the Host is '{}', but this server answers to {} only", host,
                                    fmt::join(hosts_, " and ")));
  const std::string& origin = request.field("origin");
  const std::string& site = request.field("sec-fetch-site");
  if ((!origin.empty() && origin != "http://" + host) ||
      (!site.empty() && site != "same-origin" && site != "none"))
    return refusal(403, "a page of another origin may not speak to this server");
  if (request.path.starts_with("/api/") && !same_secret(request.field("x-surefield-token"), token_))
    return refusal(401,
                   "the token is missing or wrong; open the address that surefield serve printed");
  return std::nullopt;
}

}  // namespace surefield::studio
