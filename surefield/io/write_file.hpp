// A file is written whole or not at all: beside its place, flushed to the disk, then renamed onto
// it.
#pragma once

#include <string>
#include <string_view>

namespace surefield {

/// Replaces the file, keeping its permissions; follows a symbolic link. What is not a regular file
/// (a pipe, a terminal) is written to directly. Throws Error and leaves the old file as it was if
/// anything fails.
void write_file(const std::string& path, std::string_view text);

}  // namespace surefield
