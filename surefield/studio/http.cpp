#include "surefield/studio/http.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace surefield::studio {
namespace {

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Payload Too Large";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Entity";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const auto high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (!high || !low) return std::nullopt;
      c = static_cast<char>(16 * *high + *low);
      i += 2;
    } else if (plus_is_blank && c == '+') {
      c = ' ';
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    out += c;
  }
  return out;
}

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
    "data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace

const std::string& Request::field(const std::string& name) const {
  static const std::string none;
  const auto found = head.find(name);
  return found == head.end() ? none : found->second;
}

Response refusal(int status, std::string_view message) {
  const nlohmann::json body{{"error", message}};
  return {.status = status,
          .body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"};
}

std::optional<Target> parse_target(std::string_view text) {
  if (!text.starts_with('/') || text.starts_with("//")) return std::nullopt;
  text = text.substr(0, text.find('#'));
  const std::size_t mark = text.find('?');
  auto path = percent_decoded(text.substr(0, mark), false);
  if (!path) return std::nullopt;
  Target target{std::move(*path), {}};
  std::string_view rest = mark == std::string_view::npos ? "" : text.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t equals = std::min(one.size(), one.find('='));
    auto name = percent_decoded(one.substr(0, equals), true);
    auto value = percent_decoded(one.substr(std::min(one.size(), equals + 1)), true);
    if (!name || !value) return std::nullopt;
    target.query[*name] = std::move(*value);
  }
  return target;
}

std::string head_of(const Response& response, std::optional<std::size_t> length, bool keep) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n", response.status,
                                reason_of(response.status), response.type);
  if (length) fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", *length);
  for (const auto& [name, value] : response.fields)
    fmt::format_to(std::back_inserter(out), "{}: {}\r\n", name, value);
  fmt::format_to(std::back_inserter(out),
                 "Connection: {}\r\nCache-Control: no-store\r\nContent-Security-Policy: {}\r\n"
                 "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                 "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: "
                 "same-origin\r\n\r\n",
                 keep ? "keep-alive" : "close", kPolicy);
  return out;
}

}  // namespace surefield::studio
