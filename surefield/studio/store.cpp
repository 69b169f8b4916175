#include "surefield/studio/store.hpp"

#include <sqlite3.h>

#include <array>
#include <string_view>

#include "surefield/core/error.hpp"

namespace surefield::studio {
namespace {

/// Step k brings a database of number k to k + 1. Never changed once released; only added to.
constexpr std::array<const char*, 3> kSteps{
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, command TEXT NOT "
    "NULL, file TEXT NOT NULL,"
    " name TEXT NOT NULL, result TEXT NOT NULL, news TEXT NOT NULL DEFAULT '[]')",
    "CREATE TABLE files(id TEXT PRIMARY KEY, name TEXT NOT NULL, text BLOB NOT NULL)",
    "ALTER TABLE runs ADD COLUMN options TEXT NOT NULL DEFAULT '{}'",
};

/// One prepared statement: parameters in order, then rows.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view text) : database_(database) {
    check(sqlite3_prepare_v2(database, text.data(), static_cast<int>(text.size()), &statement_,
                             nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value) {
    check(sqlite3_bind_int64(statement_, ++bound_, value));
    return *this;
  }
  Statement& bind(const std::string& text) {
    check(sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                            SQLITE_TRANSIENT));
    return *this;
  }
  /// Whether there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) check(code);
    return code == SQLITE_ROW;
  }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) const {
    const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return bytes ? std::string(bytes,
                               static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
                 : std::string();
  }

 private:
  void check(int code) const { require(code == SQLITE_OK, "store: ", sqlite3_errmsg(database_)); }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

void run_statement(sqlite3* database, const std::string& text) { Statement(database, text).step(); }

}  // namespace

Store::Store(const std::string& path) : database_(nullptr, sqlite3_close) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(path.empty() ? ":memory:" : path.c_str(), &opened);
  database_.reset(opened);
  require(code == SQLITE_OK, path,
          ": it cannot be opened: ", opened ? sqlite3_errmsg(opened) : "out of memory");
  sqlite3_busy_timeout(opened, 5000);
  try {
    run_statement(opened, "PRAGMA journal_mode = WAL");
    run_statement(opened, "PRAGMA synchronous = FULL");
    migrate(path);
  } catch (const Error& error) {
    fail(path, ": it is no history of runs: ", error.what());
  }
}

Store::~Store() = default;

void Store::migrate(const std::string&) {
  sqlite3* const database = database_.get();
  Statement version(database, "PRAGMA user_version");
  version.step();
  const auto found = static_cast<std::size_t>(version.number(0));
  require(found <= kSteps.size(), "its number is ", found, ", and this program knows those up to ",
          kSteps.size());
  for (std::size_t k = found; k < kSteps.size(); ++k) {
    run_statement(database, "BEGIN IMMEDIATE");
    run_statement(database, kSteps[k]);
    run_statement(database, message("PRAGMA user_version = ", k + 1));
    run_statement(database, "COMMIT");
  }
}

std::int64_t Store::add(const StoredRun& run) {
  const std::scoped_lock lock(mutex_);
  Statement insert(database_.get(),
                   "INSERT INTO runs(at, command, file, name, options, result, news) VALUES(?, ?, "
                   "?, ?, ?, ?, ?)");
  insert.bind(run.at)
      .bind(run.command)
      .bind(run.file)
      .bind(run.name)
      .bind(run.options)
      .bind(run.result)
      .bind(run.news)
      .step();
  return sqlite3_last_insert_rowid(database_.get());
}

std::optional<StoredRun> Store::run(std::int64_t id) const {
  const std::scoped_lock lock(mutex_);
  Statement found(
      database_.get(),
      "SELECT id, at, command, file, name, options, result, news FROM runs WHERE id = ?");
  if (!found.bind(id).step()) return std::nullopt;
  return StoredRun{found.number(0), found.text(1), found.text(2), found.text(3),
                   found.text(4),   found.text(5), found.text(6), found.text(7)};
}

std::vector<StoredRun> Store::runs(std::size_t most) const {
  const std::scoped_lock lock(mutex_);
  Statement rows(database_.get(),
                 "SELECT id, at, command, file, name, options FROM runs ORDER BY id DESC LIMIT ?");
  rows.bind(static_cast<std::int64_t>(most));
  std::vector<StoredRun> out;
  while (rows.step())
    out.push_back({rows.number(0),
                   rows.text(1),
                   rows.text(2),
                   rows.text(3),
                   rows.text(4),
                   rows.text(5),
                   {},
                   {}});
  return out;
}

void Store::remove(std::int64_t id) {
  const std::scoped_lock lock(mutex_);
  Statement(database_.get(), "DELETE FROM runs WHERE id = ?").bind(id).step();
}

void Store::add(const StoredFile& file) {
  const std::scoped_lock lock(mutex_);
  Statement(database_.get(), "INSERT OR REPLACE INTO files(id, name, text) VALUES(?, ?, ?)")
      .bind(file.id)
      .bind(file.name)
      .bind(file.text)
      .step();
}

std::vector<StoredFile> Store::files() const {
  const std::scoped_lock lock(mutex_);
  Statement rows(database_.get(), "SELECT id, name, text FROM files ORDER BY rowid");
  std::vector<StoredFile> out;
  while (rows.step()) out.push_back({rows.text(0), rows.text(1), rows.text(2)});
  return out;
}

void Store::remove_file(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  Statement(database_.get(), "DELETE FROM files WHERE id = ?").bind(id).step();
}

}  // namespace surefield::studio
