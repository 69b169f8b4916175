// The history of runs, and the files they were about, in SQLite: written as each run ends, so that neither a restart nor a
// kill loses one that is finished.
//
// Write-ahead log, full synchronisation; the schema's number is the database's user_version, and a database of an earlier
// number is brought up to date step by step, each step in a transaction. One of a later number is refused.
// https://www.sqlite.org/wal.html
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace surefield::studio {

struct StoredRun {
  std::int64_t id = 0;
  std::string at;       ///< when it ended, UTC, 2025-01-31T09:30:00Z
  std::string command;  ///< infer, ...
  std::string file;     ///< the id of what it was about
  std::string name;     ///< the same for people
  std::string options;  ///< JSON object of what was asked for, by the long names; "{}"
  std::string result;   ///< the answer's JSON, as it was
  std::string news;     ///< JSON list of what was told on the way; "[]"
};

struct StoredFile {
  std::string id, name, text;
};

class Store {
 public:
  /// Empty: in memory, gone at the end. Throws Error where the file is no such database or of a later number.
  explicit Store(const std::string& path);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Its id. On disk when it returns.
  std::int64_t add(const StoredRun& run);
  std::optional<StoredRun> run(std::int64_t id) const;
  /// The latest first, without results and news.
  std::vector<StoredRun> runs(std::size_t most) const;
  void remove(std::int64_t id);

  void add(const StoredFile& file);
  std::vector<StoredFile> files() const;
  void remove_file(const std::string& id);

 private:
  void migrate(const std::string& path);

  mutable std::mutex mutex_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
};

}  // namespace surefield::studio
