// What the studio knows of HTTP: a request that has been read, a response to be written, and the exchange they belong to.
// Plain data; the sockets are in server.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace surefield::studio {

struct Request {
  std::string method;                        ///< GET, POST, ...
  std::string path;                          ///< without the query, percent signs decoded
  std::map<std::string, std::string> query;  ///< decoded; the last of repeated names
  std::map<std::string, std::string> head;   ///< fields by name in small letters
  std::string body;

  /// The field's value; empty where there is none.
  const std::string& field(const std::string& name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> fields = {};
};

/// {"error": "..."}: the form of every refusal.
Response refusal(int status, std::string_view message);

/// The target of a request line as path and query. Nothing where it is not one of this server's: not
/// beginning with one slash, malformed percent signs, control characters.
struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};
std::optional<Target> parse_target(std::string_view text);

/// The first lines of the answer, up to and with the blank one. `length`: of the body; none for a stream, which
/// ends with the connection. Every answer carries the same policy: no script, style or connection but this server's own,
/// no frame around it, nothing kept.
std::string head_of(const Response& response, std::optional<std::size_t> length, bool keep);

/// One request under way. All but the destructor may be called from any thread.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// The whole answer, once.
  virtual void answer(Response response) = 0;
  /// Instead: an answer that is written as it comes (server-sent events), until end().
  virtual void begin_stream() = 0;
  virtual void send(std::string text) = 0;
  virtual void end() = 0;
  /// Called once if the other side goes away before the answer is complete.
  virtual void when_gone(std::function<void()> action) = 0;
};

}  // namespace surefield::studio
