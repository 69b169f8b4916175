#include "surefield/studio/studio.hpp"

#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <utility>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/core/error.hpp"
#include "surefield/report/page.hpp"
#include "surefield/studio/picture.hpp"

namespace surefield::studio {
namespace {

constexpr std::size_t kLongestQuestion = 1 << 20;  // bytes of JSON
constexpr int kDeepest = 16;
constexpr std::size_t kMostHistory = 500;

Response json_response(const OrderedJson& json, int status = 200) {
  return {.status = status,
          .body = json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n"};
}

std::int64_t number_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(fault == std::errc() && end == text.data() + text.size(), "'", text,
          "' is not the number of a run");
  return value;
}

OrderedJson parsed(const std::string& body) {
  require(body.size() <= kLongestQuestion, "the question has ", body.size(),
          " bytes, which must be at most ", kLongestQuestion);
  try {
    return OrderedJson::parse(body, [](int depth, OrderedJson::parse_event_t, OrderedJson&) {
      require(depth <= kDeepest, "the question nests deeper than ", kDeepest, " levels");
      return true;
    });
  } catch (const OrderedJson::parse_error& error) {
    fail("the question is not JSON: it goes wrong at byte ", error.byte, " of ", body.size());
  }
}

std::string text_at(const OrderedJson& json, const char* key) {
  require(json.is_object(), "the question is no JSON object");
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return {};
  require(found->is_string(), key, ": expected a text");
  return found->get<std::string>();
}

OrderedJson row_of(const StoredRun& run) {
  return {{"id", run.id},     {"at", run.at},     {"command", run.command},
          {"file", run.file}, {"name", run.name}, {"options", OrderedJson::parse(run.options)}};
}

}  // namespace

Studio::Studio(StudioOptions options)
    : options_(std::move(options)),
      store_(options_.store),
      shelf_(options_.folder),
      runs_(store_, shelf_, options_.threads),
      reading_(1, 16) {
  for (const StoredFile& file : store_.files()) {
    try {
      shelf_.put(file.name, file.text);
    } catch (const Error&) {  // read by another version of this program; its runs are still there
    }
  }
  for (const std::string& path : options_.files) shelf_.open(path);
}

const std::vector<Studio::Route>& Studio::routes() {
  static const std::vector<Route> table{
      {"GET", "/api/v1/about", &Studio::about},      {"GET", "/api/v1/files", &Studio::files},
      {"GET", "/api/v1/files/*", &Studio::file},     {"GET", "/api/v1/text/*", &Studio::file_text},
      {"POST", "/api/v1/files", &Studio::open},      {"DELETE", "/api/v1/files/*", &Studio::close},
      {"POST", "/api/v1/ask", &Studio::ask},         {"POST", "/api/v1/stop/*", &Studio::stop},
      {"GET", "/api/v1/runs", &Studio::history},     {"GET", "/api/v1/runs/*", &Studio::run},
      {"DELETE", "/api/v1/runs/*", &Studio::forget}, {"GET", "/api/v1/report", &Studio::report},
  };
  return table;
}

void Studio::handle(Request request, const std::shared_ptr<Exchange>& exchange) {
  if (const auto asset = options_.assets.find(request.path); asset != options_.assets.end()) {
    if (request.method != "GET") return exchange->answer(refusal(405, "the page can only be read"));
    return exchange->answer(
        {.type = std::string(asset->second.type), .body = std::string(asset->second.bytes)});
  }
  bool known = false;
  for (const Route& route : routes()) {
    std::string part;
    if (route.path.ends_with('*')) {
      const std::string_view stem = route.path.substr(0, route.path.size() - 1);
      if (!request.path.starts_with(stem) || request.path.size() == stem.size()) continue;
      part = request.path.substr(stem.size());
    } else if (request.path != route.path) {
      continue;
    }
    known = true;
    if (request.method != route.method) continue;
    try {
      return (this->*route.answer)(request, part, exchange);
    } catch (const Error& error) {
      return exchange->answer(refusal(400, error.what()));
    }
  }
  exchange->answer(known ? refusal(405, request.method + " is not for this address")
                         : refusal(404, "there is nothing at " + request.path));
}

void Studio::in_pool(const std::shared_ptr<Exchange>& exchange, std::function<Response()> work) {
  const bool taken = reading_.submit([exchange, work = std::move(work)] {
    try {
      exchange->answer(work());
    } catch (const std::exception& error) {
      exchange->answer(refusal(422, error.what()));
    }
  });
  if (!taken) exchange->answer(refusal(503, "too many files are being read"));
}

Shelf::File Studio::file_named(const std::string& id) const {
  Shelf::File file = shelf_.find(id);
  require(file != nullptr, "there is no open file '", id, "'");
  return file;
}

void Studio::about(const Request&, const std::string&, const std::shared_ptr<Exchange>& exchange) {
  OrderedJson commands = OrderedJson::array();
  for (const QuestionRow& row : question_table())
    commands.push_back({{"command", row.command}, {"of", row.of}, {"about", row.about}});
  OrderedJson algorithms = OrderedJson::array(), learners = OrderedJson::array();
  for (const AlgorithmRow& row : algorithm_table()) algorithms.push_back(row.name);
  for (const FitRow& row : fit_table())
    learners.push_back({{"model", row.model}, {"method", row.method}, {"about", row.about}});
  exchange->answer(json_response({{"surefield", "1"},
                                  {"commands", commands},
                                  {"algorithms", algorithms},
                                  {"learners", learners},
                                  {"kept", !options_.store.empty()},
                                  {"folder", shelf_.names_in_folder()}}));
}

void Studio::files(const Request&, const std::string&, const std::shared_ptr<Exchange>& exchange) {
  OrderedJson list = OrderedJson::array();
  for (const Shelf::File& file : shelf_.all()) list.push_back(summary_of(*file));
  exchange->answer(json_response(list));
}

void Studio::file(const Request&, const std::string& id,
                  const std::shared_ptr<Exchange>& exchange) {
  in_pool(exchange, [file = file_named(id)] { return json_response(description_of(*file)); });
}

void Studio::file_text(const Request&, const std::string& id,
                       const std::shared_ptr<Exchange>& exchange) {
  exchange->answer({.type = "application/octet-stream", .body = file_named(id)->text});
}

/// ?name=N with the file's bytes as body, or the JSON {"path": P} of a file of the folder.
void Studio::open(const Request& request, const std::string&,
                  const std::shared_ptr<Exchange>& exchange) {
  const auto query = [&](const char* key) {
    const auto found = request.query.find(key);
    return found == request.query.end() ? std::string() : found->second;
  };
  const std::string name = query("name"), as = query("as");
  const std::string path = name.empty() ? text_at(parsed(request.body), "path") : std::string();
  require(!name.empty() || !path.empty(), "name a file: ?name=N with its bytes, or {\"path\": P}");
  in_pool(exchange, [this, name, as, path, body = name.empty() ? std::string() : request.body] {
    const Shelf::File file = name.empty() ? shelf_.open(path, as) : shelf_.put(name, body, as);
    store_.add(StoredFile{file->id, file->name, file->text});
    return json_response(summary_of(*file), 201);
  });
}

void Studio::close(const Request&, const std::string& id,
                   const std::shared_ptr<Exchange>& exchange) {
  file_named(id);
  shelf_.remove(id);
  store_.remove_file(id);
  exchange->answer({.status = 204});
}

/// {"command", "file", "sets"?, "options"?, "quick"?}; a stream of events where the page accepts one, else the answer.
void Studio::ask(const Request& request, const std::string&,
                 const std::shared_ptr<Exchange>& exchange) {
  const OrderedJson json = parsed(request.body);
  Question question;
  question.command = text_at(json, "command");
  question.file = file_named(text_at(json, "file"));
  if (const std::string sets = text_at(json, "sets"); !sets.empty())
    question.sets = file_named(sets);
  question.options = json.value("options", OrderedJson());
  Runs::Manner manner;
  manner.stream = request.field("accept").starts_with("text/event-stream");
  const OrderedJson quick = json.value("quick", OrderedJson(false));
  require(quick.is_boolean(), "quick: expected true or false");
  manner.quick = quick.get<bool>();
  runs_.ask(std::move(question), manner, exchange);
}

void Studio::stop(const Request&, const std::string& number,
                  const std::shared_ptr<Exchange>& exchange) {
  exchange->answer(runs_.stop(number_of(number)) ? Response{.status = 204}
                                                 : refusal(404, "there was no run " + number));
}

void Studio::history(const Request&, const std::string&,
                     const std::shared_ptr<Exchange>& exchange) {
  OrderedJson list = OrderedJson::array();
  for (const StoredRun& run : store_.runs(kMostHistory)) list.push_back(row_of(run));
  exchange->answer(json_response(list));
}

/// The answer as it was given; with ?news=1 what was told on the way.
void Studio::run(const Request& request, const std::string& id,
                 const std::shared_ptr<Exchange>& exchange) {
  const auto found = store_.run(number_of(id));
  if (!found) return exchange->answer(refusal(404, "there is no run " + id));
  exchange->answer({.body = request.query.contains("news") ? found->news : found->result});
}

void Studio::forget(const Request&, const std::string& id,
                    const std::shared_ptr<Exchange>& exchange) {
  store_.remove(number_of(id));
  exchange->answer({.status = 204});
}

/// ?runs=3,5: the report page of these runs.
void Studio::report(const Request& request, const std::string&,
                    const std::shared_ptr<Exchange>& exchange) {
  const auto asked = request.query.find("runs");
  require(asked != request.query.end() && !asked->second.empty(), "name the runs: ?runs=1,2");
  std::vector<std::int64_t> ids;
  for (std::size_t at = 0; at <= asked->second.size();) {
    const std::size_t end = std::min(asked->second.find(',', at), asked->second.size());
    ids.push_back(number_of(asked->second.substr(at, end - at)));
    at = end + 1;
  }
  require(ids.size() <= 100, "a report holds at most 100 runs");
  in_pool(exchange, [this, ids] {
    std::vector<PageResult> results;
    for (const std::int64_t id : ids) {
      const auto run = store_.run(id);
      require(run.has_value(), "there is no run ", id);
      results.push_back({run->name, page_json(run->name, run->result)});
    }
    return Response{.type = "text/html; charset=utf-8",
                    .body = report_page(options_.report_template, results, "Surefield report"),
                    .fields = {{"Content-Disposition", "attachment; filename=\"report.html\""}}};
  });
}

}  // namespace surefield::studio
