#include "surefield/io/formats.hpp"

#include <cctype>
#include <filesystem>

#include "surefield/core/error.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/items_file.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"
#include "surefield/io/uai_results.hpp"
#include "surefield/io/write_file.hpp"

namespace surefield {
namespace {

std::string format_names() {
  std::string list;
  for (const ModelFormat& format : model_formats())
    list.append(list.empty() ? "" : ", ").append(format.name);
  return list;
}

void require_meant_for(const ModelFormat& format, std::string_view name,
                       const ReadOptions& options) {
  require(options.evidence.empty() || format.name == "uai" || format.name == "fg", name,
          ": evidence is for uai and fg files, but this is ", format.name);
  require(!options.meaning || format.name == "edges", name,
          ": a meaning of the numbers (--edges) is for edge lists, but this is ", format.name);
  require(!options.row_weight || format.name == "set-cover" || format.name == "steiner", name,
          ": a row weight is for set covers, but this is ", format.name);
}

}  // namespace

const ModelFormat& format_named(std::string_view name) {
  for (const ModelFormat& format : model_formats())
    if (format.name == name) return format;
  fail("the format is ", in_quotes(name), ", which must be one of ", format_names());
}

const ModelFormat* format_by_ending(std::string_view path) {
  const std::string_view file = path.substr(path.find_last_of('/') + 1);
  if (file.starts_with("data.") && parse_whole(file.substr(5))) return &format_named("steiner");
  const auto dot = file.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  std::string ending(file.substr(dot));
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const ModelFormat& format : model_formats()) {
    std::string_view left = format.endings;
    while (!left.empty()) {
      const auto end = std::min(left.size(), left.find(' '));
      if (left.substr(0, end) == ending) return &format;
      left = trimmed(left.substr(end));
    }
  }
  return nullptr;
}

const ModelFormat* format_by_content(std::string_view text) {
  for (const ModelFormat& format : model_formats())
    if (format.looks_like != nullptr && format.looks_like(text)) return &format;
  return nullptr;
}

const ModelFormat* folder_format(const std::string& path, std::string_view name) {
  const ModelFormat* format = name.empty() ? format_by_ending(path) : &format_named(name);
  if (format != nullptr) return format->is_folder() ? format : nullptr;
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_directory(path, ignored)) return nullptr;
  for (const ModelFormat& row : model_formats())
    if (row.is_folder()) return &row;
  return nullptr;
}

ModelFile parse_model(std::string_view text, std::string_view name, const ReadOptions& options) {
  const ModelFormat* format =
      options.format.empty() ? format_by_ending(name) : &format_named(options.format);
  if (format == nullptr) format = format_by_content(text);
  require(format != nullptr, name,
          ": neither its name nor its content says what it is; name one of the formats ",
          format_names());
  require(!format->is_folder(), name, ": the format ", format->name,
          " is a folder, which cannot come as text");
  require_meant_for(*format, name, options);
  return format->parse(text, name, options);
}

ModelFile read_model_folder(const std::string& path, const ModelFormat& format,
                            const ReadOptions& options) {
  require_meant_for(format, path, options);
  return format.read_folder(path);
}

ModelFile read_model(const std::string& path, const ReadOptions& options) {
  if (const ModelFormat* const folder = folder_format(path, options.format))
    return read_model_folder(path, *folder, options);
  return parse_model(read_file(path), path, options);
}

Box evidence_box(const ReadOptions& options, Index variables) {
  if (options.evidence.empty()) return unit_box(variables);
  return options.evidence_text
             ? parse_uai_evidence(*options.evidence_text, options.evidence, variables)
             : read_uai_evidence(options.evidence, variables);
}

std::string model_text(const ModelFile& file, const ModelFormat& format) {
  require(!format.is_folder(), "the format ", format.name,
          " is a folder of arrays; `surefield convert` writes it");
  require(format.text != nullptr, "the format ", format.name, " can be read but not written");
  require_inside_unit(file.box, size_of(file.model));
  return format.text(file);
}

void write_model(const std::string& path, const ModelFile& file, std::string_view format) {
  const ModelFormat* chosen = format.empty() ? format_by_ending(path) : &format_named(format);
  require(chosen != nullptr, path, ": its name does not say which format to write; name one of ",
          format_names());
  if (chosen->is_folder()) return chosen->write_folder(path, file);
  write_file(path, naming_file(path, [&] { return model_text(file, *chosen); }));
}

bool write_model_text(const std::string& path, const std::string& text, const ModelFormat& format,
                      const std::vector<std::string>& items) {
  write_file(path, text);
  if (items.empty() || format.keeps_names) return false;
  write_file(items_path(path), items_text(items, path, text));
  return true;
}

}  // namespace surefield
