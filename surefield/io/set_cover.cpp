#include "surefield/io/set_cover.hpp"

#include "surefield/core/error.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

/// Reads rows of columns; a column twice in a row is refused.
class RowReader {
 public:
  RowReader(TextScanner& scanner, Index columns) : scanner_(scanner), last_row_(columns, 0) {}

  std::vector<Entry> row(Index size) {
    ++row_;
    std::vector<Entry> entries;
    entries.reserve(size);
    for (Index k = 0; k < size; ++k) {
      const auto column = scanner_.whole("a column", 1, last_row_.size());
      if (last_row_[column - 1] == row_)
        scanner_.fail_here("column ", column, " is twice in row ", row_);
      last_row_[column - 1] = row_;
      entries.push_back({static_cast<std::uint32_t>(column - 1), 1.0});
    }
    return entries;
  }

 private:
  TextScanner& scanner_;
  Index row_ = 0;
  std::vector<Index> last_row_;  // per column: the last row that lists it
};

Coverage coverage_of(std::string_view name, std::vector<double> cost,
                     const std::vector<std::vector<Entry>>& rows, double row_weight) {
  return naming_file(name, [&] {
    return make_coverage(std::move(cost), std::vector<double>(rows.size(), row_weight), rows);
  });
}

}  // namespace

Coverage parse_set_cover(std::string_view text, std::string_view name, double row_weight) {
  TextScanner scanner(text, name);
  const Index row_count = scanner.count("rows", 2);
  std::vector<double> cost(scanner.count("columns", 2));
  for (double& c : cost) c = scanner.number("the cost of a column");
  RowReader reader(scanner, cost.size());
  std::vector<std::vector<Entry>> rows;
  rows.reserve(row_count);
  for (Index r = 0; r < row_count; ++r) rows.push_back(reader.row(scanner.count("columns", 2)));
  scanner.expect_end(message(row_count, " rows"));
  return coverage_of(name, std::move(cost), rows, row_weight);
}

Coverage read_set_cover(const std::string& path, double row_weight) {
  return parse_set_cover(read_file(path), path, row_weight);
}

Coverage parse_steiner_cover(std::string_view text, std::string_view name, double row_weight) {
  TextScanner scanner(text, name);
  const Index columns = scanner.implied_count("columns");
  const Index row_count = scanner.count("rows", 6);
  RowReader reader(scanner, columns);
  std::vector<std::vector<Entry>> rows;
  rows.reserve(row_count);
  for (Index r = 0; r < row_count; ++r) rows.push_back(reader.row(3));
  scanner.expect_end(message(row_count, " rows of 3 columns"));
  return coverage_of(name, std::vector<double>(columns, 1.0), rows, row_weight);
}

Coverage read_steiner_cover(const std::string& path, double row_weight) {
  return parse_steiner_cover(read_file(path), path, row_weight);
}

std::string set_cover_text(const Coverage& model, double row_weight) {
  const Index rows = model.concept_weight.size();
  std::string text;
  append_line(text, rows, model.cost.size());
  for (const double cost : model.cost) append_number(text += ' ', cost);
  text += '\n';
  for (Index c = 0; c < rows; ++c) {
    require(model.concept_weight[c] == row_weight, "set cover: concept ", c, " has weight ",
            model.concept_weight[c], ", which must be ", row_weight, "; write the model as JSON");
    append_line(text, model.members.of_group(c).size());
    for (const auto& [item, probability] : model.members.of_group(c)) {
      require(probability == 1, "set cover: item ", item, " covers concept ", c,
              " with probability ", probability, ", which must be 1; write the model as JSON");
      append_number(text += ' ', item + 1);
    }
    text += '\n';
  }
  return text;
}

}  // namespace surefield
