#include "surefield/cli/output_file.hpp"

#include <fmt/format.h>

#include "surefield/cli/processes.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/check_output.hpp"
#include "surefield/io/items_file.hpp"
#include "surefield/io/write_file.hpp"

namespace surefield::cli {

void check_output_of(const CommonOptions& common, const std::vector<std::string>& inputs) {
  check_output(common.output, inputs);
}

void check_model_output(const std::string& path, const ModelFormat& format,
                        const std::vector<std::string>& inputs) {
  check_output(path, inputs);
  if (!path.empty() && !format.keeps_names) check_output(items_path(path), inputs);
}

void write_model_file(const std::string& path, const std::string& text, const ModelFormat& format,
                      const std::vector<std::string>& items, const CommonOptions& common) {
  if (!answers()) return;
  if (write_model_text(path, text, format, items))
    say(fmt::format("wrote {}: the labels of the items, which {} does not keep", items_path(path),
                    format.name),
        common);
}

void write_model_folder(const std::string& path, const ModelFormat& format, const ModelFile& file,
                        const CommonOptions& common) {
  require(!path.empty(), "the format ", format.name,
          " is a folder, which cannot go to stdout; name one with -o");
  format.write_folder(path, file);
  say(fmt::format("wrote {}", path), common);
}

void say_if_labels_are_lost(const ModelFormat& format, const std::vector<std::string>& items,
                            const CommonOptions& common) {
  if (!items.empty() && !format.keeps_names)
    say(fmt::format("note: {} keeps no item names; they are left out", format.name), common);
}

}  // namespace surefield::cli
