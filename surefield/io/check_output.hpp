// Whether a file can be written, asked before the work and not after it.
#pragma once

#include <span>
#include <string>

namespace surefield {

/// Throws Error if write_file would fail as things stand (the path is a folder, its folder is missing
/// or closed), or if the file is one of the inputs. An empty path and `-` are stdout.
void check_output(const std::string& path, std::span<const std::string> inputs = {});

}  // namespace surefield
