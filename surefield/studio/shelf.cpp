#include "surefield/studio/shelf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/io/baskets/read_baskets.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/items_file.hpp"
#include "surefield/io/read_file.hpp"

namespace surefield::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100;
constexpr std::size_t kLongestName = 200;

std::string id_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

bool looks_like_a_model(const std::string& name, std::string_view text) {
  const ModelFormat* const format = format_by_ending(name);
  return format != nullptr || format_by_content(text) != nullptr;
}

bool has_ending_of_sets(const fs::path& path) {
  for (const char* ending : {".csv", ".tsv", ".txt", ".dat", ".basket"})
    if (path.extension() == ending) return true;
  return false;
}

}  // namespace

Shelf::Shelf(fs::path folder) : folder_(fs::canonical(folder)) {}

Shelf::File Shelf::put(std::string name, std::string text, std::string_view as) {
  require(!name.empty() && name.size() <= kLongestName, "the name of a file has ", name.size(),
          " bytes, which must be from 1 to ", kLongestName);
  auto file = std::make_shared<ShelfFile>();
  file->id = id_of(text);
  if (File known = find(file->id)) return known;
  if (as == "model" || (as != "sets" && looks_like_a_model(name, text))) {
    file->model = parse_model(text, name);
  } else {
    const Baskets baskets = parse_baskets(text, name);
    require(!baskets.data.sets.empty(), name, ": it holds no set, but at least one is needed");
    file->understood = surefield::understood(baskets, name);
    file->sets = baskets.data;
  }
  file->name = std::move(name);
  file->text = std::move(text);
  const std::scoped_lock lock(mutex_);
  require(files_.size() < kMostFiles, file->name, ": there are ", kMostFiles,
          " files already; close one first");
  files_.push_back(file);
  return file;
}

Shelf::File Shelf::open(const std::string& path, std::string_view as) {
  std::error_code error;
  const fs::path whole = fs::canonical(folder_ / path, error);
  const auto [end, rest] = std::ranges::mismatch(folder_, whole);
  require(!error && end == folder_.end() && fs::is_regular_file(whole, error), "'", path,
          "' is no file of the folder ", folder_.string());
  File file = put(whole.lexically_relative(folder_).string(), read_file(whole.string()), as);
  if (!file->model || !file->model->items.empty()) return file;
  if (auto items = read_items_beside(whole.string(), file->text, size_of(file->model->model))) {
    auto named = std::make_shared<ShelfFile>(*file);
    named->model->items = std::move(*items);
    const std::scoped_lock lock(mutex_);
    std::ranges::replace(files_, file, File(named));
    return named;
  }
  return file;
}

Shelf::File Shelf::find(const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(files_, id, [](const File& file) { return file->id; });
  return found == files_.end() ? nullptr : *found;
}

void Shelf::remove(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(files_, [&](const File& file) { return file->id == id; });
}

std::vector<Shelf::File> Shelf::all() const {
  const std::scoped_lock lock(mutex_);
  return files_;
}

std::vector<std::string> Shelf::names_in_folder() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file(error) && !name.ends_with(".items.csv") && !name.starts_with('.') &&
        (format_by_ending(name) != nullptr || has_ending_of_sets(entry.path())))
      names.push_back(name);
    if (names.size() >= 1000) break;
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace surefield::studio
