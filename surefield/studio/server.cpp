// The one file that knows sockets, and the one that includes Boost.
#include "surefield/studio/server.hpp"

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cctype>
#include <chrono>
#include <deque>
#include <list>
#include <string>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield::studio {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Tcp = asio::ip::tcp;
using Clock = std::chrono::steady_clock;

Clock::duration seconds(double value) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

constexpr std::size_t kReadAtOnce = 64 << 10;
constexpr double kLinger = 1;  // seconds for the other side to read why it was refused
constexpr std::size_t kMostDiscarded = 64 << 20;  // bytes that are taken meanwhile

}  // namespace

class Connection;

struct Server::Inside {
  explicit Inside(const ServerLimits& given) : limits(given) {}

  void accept();
  void enter(Tcp::socket socket);

  ServerLimits limits;
  asio::io_context context{1};
  Tcp::acceptor acceptor{context};
  asio::signal_set signals{context};
  Gatekeeper gate;
  Handler handler;
  std::list<std::shared_ptr<Connection>> waiting;  // for a head, the longest waiting first
  std::size_t open = 0, under_way = 0;
};

/// One socket: reads a head, asks the gate, reads the body, hands it over, writes the answer; again if both sides keep it.
class Connection : public Exchange, public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server::Inside& server, Tcp::socket socket)
      : server_(server), socket_(std::move(socket)), deadline_(server.context) {}

  void await_request() {
    waiting_ = server_.waiting.insert(server_.waiting.end(), shared_from_this());
    state_ = State::kHead;
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(server_.limits.head_bytes));
    parser_->body_limit(server_.limits.body_bytes);
    expire(server_.limits.head_seconds);
    feed();
  }

  /// By the other side, by a deadline, or to make room.
  void close() {
    if (state_ == State::kClosed) return;
    const auto self = shared_from_this();
    state_ = State::kClosed;
    stop_waiting();
    settle();
    --server_.open;
    no_deadline();
    error_code ignored;
    socket_.close(ignored);
    if (const auto action = std::exchange(gone_, nullptr)) action();
  }

  void answer(Response response) override {
    asio::dispatch(server_.context,
                   [self = shared_from_this(), response = std::move(response)]() mutable {
                     self->answer_now(std::move(response));
                   });
  }
  void begin_stream() override {
    asio::dispatch(server_.context, [self = shared_from_this()] {
      if (self->state_ != State::kWorking) return;
      self->state_ = State::kStreaming;
      self->write(head_of({.type = "text/event-stream"}, std::nullopt, false));
    });
  }
  void send(std::string text) override {
    asio::dispatch(server_.context, [self = shared_from_this(), text = std::move(text)]() mutable {
      if (self->state_ == State::kStreaming) self->write(std::move(text));
    });
  }
  void end() override {
    asio::dispatch(server_.context, [self = shared_from_this()] {
      if (self->state_ != State::kStreaming) return;
      self->state_ = State::kLast;
      self->finish_if_written();
    });
  }
  void when_gone(std::function<void()> action) override {
    asio::dispatch(server_.context,
                   [self = shared_from_this(), action = std::move(action)]() mutable {
                     if (self->state_ == State::kClosed) return action();
                     self->gone_ = std::move(action);
                   });
  }

 private:
  enum class State { kHead, kBody, kWorking, kStreaming, kLast, kLinger, kClosed };

  void no_deadline() { deadline_.expires_at(Clock::time_point::max()); }

  void expire(double after) {
    deadline_.expires_after(seconds(after));
    deadline_.async_wait([weak = weak_from_this()](error_code error) {
      if (error) return;
      if (const auto self = weak.lock()) self->too_late();
    });
  }

  void too_late() {
    if (deadline_.expiry() > Clock::now() || state_ == State::kClosed) return;
    if (state_ == State::kHead && parser_->got_some())
      return refuse(refusal(408, "the request did not arrive in time"));
    if (state_ == State::kBody) return refuse(refusal(408, "the body did not arrive in time"));
    close();
  }

  /// Parses what is there; reads more where that is not enough.
  void feed() {
    error_code error;
    while (buffer_.size() > 0 && !parser_->is_done() && !error) {
      const std::size_t used = parser_->put(buffer_.data(), error);
      buffer_.consume(used);
      if (state_ == State::kHead && parser_->is_header_done()) {
        if (!error && !pass_gate()) return;
        parser_->eager(true);
      }
      if (used == 0) break;
    }
    if (error == http::error::need_more) error = {};
    if (error) return malformed(error);
    if (parser_->is_done()) return hand_over();
    read([](Connection& self) { self.feed(); });
  }

  void malformed(error_code error) {
    if (error == http::error::header_limit)
      return refuse(refusal(431, "the head of the request is too long"));
    if (error == http::error::body_limit)
      return refuse(
          refusal(413, message("the body is longer than ", server_.limits.body_bytes, " bytes")));
    refuse(refusal(400, message("this is no HTTP/1.1 request: ", error.message())));
  }

  /// Whether to go on with the body.
  bool pass_gate() {
    stop_waiting();
    state_ = State::kBody;
    expire(server_.limits.body_seconds);
    const auto& head = parser_->get();
    request_ = {};
    request_.method = std::string(head.method_string());
    const auto target = parse_target({head.target().data(), head.target().size()});
    if (!target) return refuse(refusal(400, "the target of the request is malformed")), false;
    request_.path = target->path;
    request_.query = target->query;
    for (const auto& field : head) {
      std::string name(field.name_string());
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      std::string value(field.value());
      const auto [at, fresh] = request_.head.emplace(std::move(name), std::move(value));
      // Two Hosts or two tokens: whoever sends them wants two readers to see two requests.
      if (!fresh)
        return refuse(refusal(400, message("the field ", at->first, " is there twice"))), false;
    }
    if (auto no = server_.gate(request_)) return refuse(std::move(*no)), false;
    return true;
  }

  void hand_over() {
    no_deadline();
    keep_ = parser_->get().keep_alive();
    head_only_ = request_.method == "HEAD";
    if (head_only_) request_.method = "GET";
    request_.body = std::move(parser_->get().body());
    parser_.reset();
    if (server_.under_way >= server_.limits.streams)
      return refuse(refusal(503, "too many answers are under way"));
    ++server_.under_way;
    counted_ = true;
    state_ = State::kWorking;
    try {
      server_.handler(std::move(request_), shared_from_this());
    } catch (const std::exception& error) {
      answer_now(refusal(500, error.what()));
    }
    if (state_ == State::kWorking || state_ == State::kStreaming) {
      keep_ = false;  // the watch below may have read what follows
      watch();
    }
  }

  /// Tells who works for this connection when the other side goes away.
  void watch() {
    read([](Connection& self) {
      self.buffer_.consume(self.buffer_.size());
      if (self.state_ == State::kWorking || self.state_ == State::kStreaming) self.watch();
    });
  }

  template <class Next>
  void read(Next next) {
    socket_.async_read_some(buffer_.prepare(kReadAtOnce),
                            [self = shared_from_this(), next](error_code error, std::size_t bytes) {
                              if (self->state_ == State::kClosed) return;
                              if (error) return self->close();
                              self->buffer_.commit(bytes);
                              next(*self);
                            });
  }

  void answer_now(Response response) {
    if (state_ != State::kWorking) return;
    state_ = State::kLast;
    write_response(response);
  }

  void refuse(Response response) {
    stop_waiting();
    keep_ = false;
    refused_ = true;
    state_ = State::kLast;
    write_response(response);
  }

  void write_response(const Response& response) {
    std::string text = head_of(response, response.body.size(), keep_);
    if (!head_only_) text += response.body;
    write(std::move(text));
  }

  void write(std::string text) {
    unsent_.push_back(std::move(text));
    if (unsent_.size() == 1) write_next();
  }

  void write_next() {
    expire(server_.limits.write_seconds);
    asio::async_write(socket_, asio::buffer(unsent_.front()),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (self->state_ == State::kClosed) return;
                        if (error) return self->close();
                        self->unsent_.pop_front();
                        self->no_deadline();
                        if (!self->unsent_.empty()) return self->write_next();
                        self->finish_if_written();
                      });
  }

  void finish_if_written() {
    if (state_ != State::kLast || !unsent_.empty()) return;
    gone_ = nullptr;
    settle();
    if (keep_) return await_request();
    error_code ignored;
    socket_.shutdown(Tcp::socket::shutdown_send, ignored);
    if (!refused_) return close();
    // What is still on its way would reset the connection before the refusal is read.
    state_ = State::kLinger;
    expire(kLinger);
    discard();
  }

  void discard() {
    discarded_ += buffer_.size();
    if (discarded_ > kMostDiscarded) return close();
    buffer_.consume(buffer_.size());
    read([](Connection& self) { self.discard(); });
  }

  void settle() {
    if (std::exchange(counted_, false)) --server_.under_way;
  }

  void stop_waiting() {
    if (waiting_) server_.waiting.erase(*std::exchange(waiting_, std::nullopt));
  }

  Server::Inside& server_;
  Tcp::socket socket_;
  asio::steady_timer deadline_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Request request_;
  State state_ = State::kHead;
  std::size_t discarded_ = 0;
  bool keep_ = false, head_only_ = false, refused_ = false, counted_ = false;
  std::deque<std::string> unsent_;
  std::function<void()> gone_;
  std::optional<std::list<std::shared_ptr<Connection>>::iterator> waiting_;
};

void Server::Inside::accept() {
  acceptor.async_accept([this](error_code error, Tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) enter(std::move(socket));
    accept();
  });
}

void Server::Inside::enter(Tcp::socket socket) {
  if (open >= limits.connections) {
    if (waiting.empty()) return;  // all are at work; the socket closes with its scope
    waiting.front()->close();
  }
  ++open;
  std::make_shared<Connection>(*this, std::move(socket))->await_request();
}

Server::Server(unsigned port, const ServerLimits& limits)
    : inside_(std::make_unique<Inside>(limits)) {
  const Tcp::endpoint here(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
  error_code error;
  inside_->acceptor.open(here.protocol());
  inside_->acceptor.set_option(Tcp::acceptor::reuse_address(true));
  inside_->acceptor.bind(here, error);
  if (!error) inside_->acceptor.listen(asio::socket_base::max_listen_connections, error);
  require(!error, "serve: port ", port, " of 127.0.0.1 cannot be had: ", error.message());
}

Server::~Server() = default;

unsigned Server::port() const { return inside_->acceptor.local_endpoint().port(); }

void Server::run(Gatekeeper gate, Handler handler) {
  inside_->gate = std::move(gate);
  inside_->handler = std::move(handler);
  inside_->signals.add(SIGINT);
  inside_->signals.add(SIGTERM);
  inside_->signals.async_wait([this](error_code error, int) {
    if (!error) stop();
  });
  inside_->accept();
  inside_->context.run();
}

void Server::stop() { inside_->context.stop(); }

}  // namespace surefield::studio
