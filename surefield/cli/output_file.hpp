// Files that a command writes: asked for before the work, and a model with the labels of its items.
#pragma once

#include <string>
#include <vector>

#include "surefield/cli/command.hpp"
#include "surefield/io/formats.hpp"

namespace surefield::cli {

/// Refuses -o where it cannot be written or is one of the files that are read.
void check_output_of(const CommonOptions& common, const std::vector<std::string>& inputs);

/// Throws Error where the model's file, or the one of its labels if the format keeps none, cannot be
/// written or is one of the inputs.
void check_model_output(const std::string& path, const ModelFormat& format,
                        const std::vector<std::string>& inputs);

/// Writes the model's text and, if the format keeps no labels, these to `<path>.items.csv`; says so.
void write_model_file(const std::string& path, const std::string& text, const ModelFormat& format,
                      const std::vector<std::string>& items, const CommonOptions& common);

/// The same for a format that is a folder, which keeps the labels itself.
void write_model_folder(const std::string& path, const ModelFormat& format, const ModelFile& file,
                        const CommonOptions& common);

/// Says that a format leaves labels out, for a model that goes to stdout.
void say_if_labels_are_lost(const ModelFormat& format, const std::vector<std::string>& items,
                            const CommonOptions& common);

}  // namespace surefield::cli
