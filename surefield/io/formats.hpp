// Every format a model can come in, as one table; a file's format by its name, else by its content.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/io/edge_list.hpp"
#include "surefield/io/model_file.hpp"

namespace surefield {

struct ReadOptions {
  std::string format = {};  ///< by name; empty: found out
  std::optional<EdgeMeaning> meaning =
      {};  ///< of an edge list; by default a cut, for .sparse a quadratic
  std::optional<double> row_weight = {};          ///< of every row of a set cover; 1 by default
  std::string evidence = {};                      ///< a UAI evidence file, for factor graphs only
  std::optional<std::string> evidence_text = {};  ///< what it holds, where it has been read already
};

struct ModelFormat {
  std::string_view name;
  std::string_view endings;  ///< of file names, separated by blanks; the first is the usual one
  std::string_view holds;    ///< which models, in words
  bool keeps_names;          ///< the names of the items are written
  bool (*looks_like)(
      std::string_view text);  ///< nullptr: cannot be told from others by its content
  ModelFile (*parse)(std::string_view text, std::string_view name, const ReadOptions& options);
  std::string (*text)(const ModelFile& file);  ///< nullptr: is read only
  /// Of a format that is a folder and no text, instead of the two above; nullptr for texts.
  ModelFile (*read_folder)(const std::string& path) = nullptr;
  void (*write_folder)(const std::string& path, const ModelFile& file) = nullptr;

  bool is_folder() const { return read_folder != nullptr; }
};

std::span<const ModelFormat> model_formats();

/// Throws Error, listing the known ones, if there is none of that name.
const ModelFormat& format_named(std::string_view name);
/// By the ending of the file's name; nullptr if it says nothing.
const ModelFormat* format_by_ending(std::string_view path);
/// By the first format whose look the text has; nullptr if there is none.
const ModelFormat* format_by_content(std::string_view text);

/// The format of a folder: the one there is, where the path is one or is called so. nullptr for the rest.
const ModelFormat* folder_format(const std::string& path, std::string_view name = {});

ModelFile parse_model(std::string_view text, std::string_view name,
                      const ReadOptions& options = {});
ModelFile read_model(const std::string& path, const ReadOptions& options = {});
/// A folder with the format that folder_format found. Options that are for other formats are refused.
ModelFile read_model_folder(const std::string& path, const ModelFormat& format,
                            const ReadOptions& options);

/// What the evidence of the options fixes of so many variables; [0, 1] each where there is none.
Box evidence_box(const ReadOptions& options, Index variables);

/// In the named format, else the one of the path's ending. Throws Error if that cannot hold the
/// model or its box exactly; only names are left out where the format keeps none.
std::string model_text(const ModelFile& file, const ModelFormat& format);
void write_model(const std::string& path, const ModelFile& file, std::string_view format = {});

/// The text of a model to its file and, if the format keeps no names, these beside it (items_file.hpp). Whether the
/// latter was so.
bool write_model_text(const std::string& path, const std::string& text, const ModelFormat& format,
                      const std::vector<std::string>& items);

}  // namespace surefield
