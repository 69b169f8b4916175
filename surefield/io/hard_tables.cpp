#include "surefield/io/hard_tables.hpp"

#include "surefield/core/error.hpp"
#include "surefield/io/fg_file.hpp"
#include "surefield/io/uai_model.hpp"

namespace surefield {

std::optional<HardTables> parse_hard_tables(std::string_view text, std::string_view name,
                                            const ReadOptions& options) {
  const ModelFormat* format =
      options.format.empty() ? format_by_ending(name) : &format_named(options.format);
  if (format == nullptr) format = format_by_content(text);
  if (format == nullptr || (format->name != "uai" && format->name != "fg")) return std::nullopt;
  HardTables tables;
  tables.graph = format->name == "uai" ? parse_uai(text, name) : parse_fg(text, name);
  tables.box = evidence_box(options, tables.graph.variables);
  try {
    field_of(tables.graph, &tables.box);
    return std::nullopt;
  } catch (const Error& error) {
    tables.reason = error.what();
    return tables;
  }
}

}  // namespace surefield
