#include "surefield/io/hard_tables.hpp"

#include "surefield/core/error.hpp"
#include "surefield/io/fg_file.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/uai_model.hpp"
#include "surefield/io/uai_results.hpp"

namespace surefield {

std::optional<HardTables> read_hard_tables(const std::string& path, const ReadOptions& options) {
  const std::string text = read_file(path);
  const ModelFormat* format =
      options.format.empty() ? format_by_ending(path) : &format_named(options.format);
  if (format == nullptr) format = format_by_content(text);
  if (format == nullptr || (format->name != "uai" && format->name != "fg")) return std::nullopt;
  HardTables tables;
  tables.graph = format->name == "uai" ? parse_uai(text, path) : parse_fg(text, path);
  tables.box = options.evidence.empty()
                   ? unit_box(tables.graph.variables)
                   : read_uai_evidence(options.evidence, tables.graph.variables);
  try {
    field_of(tables.graph, &tables.box);
    return std::nullopt;
  } catch (const Error& error) {
    tables.reason = error.what();
    return tables;
  }
}

}  // namespace surefield
