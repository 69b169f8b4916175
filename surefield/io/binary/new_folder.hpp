// A folder that appears whole or not at all: filled beside its place, then renamed onto it.
#pragma once

#include <string>
#include <string_view>

namespace surefield {

class NewFolder {
 public:
  /// Throws Error, before anything is written, if something else is at the path than a folder that holds a
  /// file called `mark`, or the folder above cannot be written.
  NewFolder(std::string path, std::string_view mark);
  /// Takes away what was written if it was not kept.
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  /// Where to write a file that will be in the folder.
  std::string file(std::string_view name) const;
  /// Puts the folder into its place; one that was there before is gone.
  void keep();

 private:
  std::string path_, beside_;
  bool kept_ = false;
};

}  // namespace surefield
