// An HTTP/1.1 server on loopback for one person's pages: one thread for all sockets, and a limit on everything that costs.
//
//   head        at most 16 KiB, complete within 10 s of the connection or of the last answer, else closed
//   body        at most 64 MiB, read only once the gate has let the head pass, complete within 60 s
//   connections at most 128; where one more comes, the one that has waited longest without a complete head makes room for it
//   streams     at most 32 answers under way at a time; more are told 503
//   answer      written within 30 s of its last byte taken
//
// Requests are handed over on the server's thread, which must not be held up: what takes time is done elsewhere and
// answered through the exchange later. While it is not, the connection is watched, so that whoever works for it can
// be told that nobody waits any more.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "surefield/studio/http.hpp"

namespace surefield::studio {

struct ServerLimits {
  std::size_t head_bytes = 16 << 10;
  std::size_t body_bytes = 64 << 20;
  std::size_t connections = 128;
  std::size_t streams = 32;
  double head_seconds = 10, body_seconds = 60, write_seconds = 30;
};

class Server {
 public:
  using Gatekeeper = std::function<std::optional<Response>(const Request&)>;
  using Handler = std::function<void(Request, std::shared_ptr<Exchange>)>;

  /// Bound to 127.0.0.1; port 0 is any that is free. Throws Error where the port is taken.
  explicit Server(unsigned port, const ServerLimits& limits = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  unsigned port() const;
  /// Until stop(), SIGINT or SIGTERM. `gate` sees the head alone.
  void run(Gatekeeper gate, Handler handler);
  void stop();

  struct Inside;  ///< what server.cpp keeps to itself

 private:
  std::unique_ptr<Inside> inside_;
};

}  // namespace surefield::studio
