// A file opened for reading, or stdin.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace surefield {

using InputFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// `-` is stdin, which can be read once: asked for again, it is refused (a file of that name is
/// `./-`). Throws Error if the file cannot be read.
InputFile open_file(const std::string& path);

}  // namespace surefield
