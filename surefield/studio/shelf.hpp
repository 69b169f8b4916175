// The files that questions are asked about: models and sets, opened from the folder that is served or sent by the page.
//
// A file is called by the FNV-1a hash of its text, so that a link finds it again after a restart. Only regular files
// inside the folder are opened, symbolic links followed first: nothing outside it can be named.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/set_collection.hpp"
#include "surefield/io/model_file.hpp"

namespace surefield::studio {

struct ShelfFile {
  std::string id;    ///< of its text
  std::string name;  ///< its path in the folder, or as the page called it
  std::string text;
  std::optional<ModelFile> model;     ///< either this
  std::optional<SetCollection> sets;  ///< or these
  std::string understood;             ///< of sets: in words, how they were read
};

class Shelf {
 public:
  using File = std::shared_ptr<const ShelfFile>;

  explicit Shelf(std::filesystem::path folder);

  /// Reads the text: as a model where its name or content says so, else as sets; `as`: "model" or "sets" settle it. Throws
  /// Error as the readers do, and where there are too many files.
  File put(std::string name, std::string text, std::string_view as = {});
  /// A file of the folder by its relative path. Throws Error for what is outside or is no file.
  File open(const std::string& path, std::string_view as = {});
  File find(const std::string& id) const;  ///< null where there is none
  void remove(const std::string& id);
  std::vector<File> all() const;  ///< as they came
  /// Of the folder itself: regular files that look like models or sets by their ending.
  std::vector<std::string> names_in_folder() const;

 private:
  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::vector<File> files_;
};

}  // namespace surefield::studio
