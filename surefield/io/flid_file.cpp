#include "surefield/io/flid_file.hpp"

#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {

FlidFile parse_flid(std::string_view text, std::string_view name) {
  TextScanner scanner(text, name);
  const Index items = scanner.count("items", 2);
  const Index dimensions =
      items == 0 ? scanner.implied_count("dimensions") : scanner.count("dimensions", 2 * items);
  const double n_logz = scanner.number("minus the estimated log normaliser");
  const double seconds = scanner.number("the seconds of training");
  std::vector<double> utility(items);
  for (double& u : utility) u = scanner.number("a utility");
  std::vector<double> weights(items * dimensions);
  for (double& w : weights) w = scanner.number("a weight");
  scanner.expect_end(message(items, " rows of ", dimensions, " weights"));
  return {naming_file(
              name, [&] { return make_flid(std::move(utility), std::move(weights), dimensions); }),
          n_logz, seconds};
}

FlidFile read_flid(const std::string& path) { return parse_flid(read_file(path), path); }

std::string flid_text(const Flid& model, double n_logz, double seconds) {
  const auto append_row = [](std::string& text, const double* row, Index count) {
    for (Index k = 0; k < count; ++k) {
      if (k > 0) text += ' ';
      append_number(text, row[k]);
    }
    text += '\n';
  };
  std::string text;
  append_line(text, model.utility.size(), model.dimensions, n_logz, seconds);
  append_row(text, model.utility.data(), model.utility.size());
  for (Index i = 0; i < model.utility.size(); ++i)
    append_row(text, model.weights.data() + i * model.dimensions, model.dimensions);
  return text;
}

}  // namespace surefield
