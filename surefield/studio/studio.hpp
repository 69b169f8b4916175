// The studio: the page and the questions behind it, as answers to requests. docs/studio.md lists the addresses.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/studio/http.hpp"
#include "surefield/studio/runs.hpp"
#include "surefield/studio/shelf.hpp"
#include "surefield/studio/store.hpp"

namespace surefield::studio {

/// A file of the page: its type and its bytes, which live as long as the program.
struct Asset {
  std::string_view type, bytes;
};

struct StudioOptions {
  std::string folder = ".";                  ///< what may be opened by name
  std::vector<std::string> files = {};       ///< in the folder, opened at the start
  std::string store = {};                    ///< of the history; empty: in memory
  std::map<std::string, Asset> assets = {};  ///< by path: "/", "/studio.js", ...
  std::string_view report_template = {};     ///< of report/page.hpp
  unsigned threads = 2;                      ///< questions at work at a time
};

class Studio {
 public:
  explicit Studio(StudioOptions options);

  /// On the server's thread; what takes time is done in the pool.
  void handle(Request request, const std::shared_ptr<Exchange>& exchange);

 private:
  struct Route {
    std::string_view method, path;  ///< a path that ends in /* takes one more part
    void (Studio::*answer)(const Request&, const std::string& part,
                           const std::shared_ptr<Exchange>&);
  };
  static const std::vector<Route>& routes();

  void about(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void files(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void file(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void file_text(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void open(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void close(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void ask(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void stop(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void history(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void run(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void forget(const Request&, const std::string&, const std::shared_ptr<Exchange>&);
  void report(const Request&, const std::string&, const std::shared_ptr<Exchange>&);

  void in_pool(const std::shared_ptr<Exchange>& exchange, std::function<Response()> work);
  Shelf::File file_named(const std::string& id) const;

  StudioOptions options_;
  Store store_;
  Shelf shelf_;
  Runs runs_;
  WorkPool reading_;
};

}  // namespace surefield::studio
