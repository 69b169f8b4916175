#include "surefield/io/point_file.hpp"

#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "surefield/io/binary/npy.hpp"
#include "surefield/io/json_cursor.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

constexpr std::string_view kRule = "a number from 0 to 1";

std::vector<double> numbers_of(const JsonCursor& array) {
  std::vector<double> point;
  for (Index i = 0; i < array.size(); ++i) {
    const JsonCursor element = array.element(i);
    point.push_back(element.number());
    if (point.back() < 0 || point.back() > 1) element.refuse(kRule);
  }
  return point;
}

std::vector<double> from_json(std::string_view text, std::string_view name) {
  const nlohmann::json document = parse_json(text, name);
  const JsonCursor top(document, name);
  return top.is_array() ? numbers_of(top) : numbers_of(top.at("marginals"));
}

std::vector<double> from_lines(std::string_view text, std::string_view name) {
  std::vector<double> point;
  Lines lines(text, name);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty() || line[0] == '#') continue;
    const auto [value, problem] = parse_number(line);
    if (!problem.empty() || value < 0 || value > 1)
      lines.fail_here("found ", in_quotes(line), ", expected ", kRule);
    point.push_back(value);
  }
  return point;
}

void require_one_an_item(Index numbers, Index items, std::string_view name) {
  require(numbers == items, name, ": there are ", numbers, " numbers, expected ", items,
          ", one an item");
}

std::vector<double> from_npy(const std::string& path, Index items) {
  const NpyArray array(path);
  const auto values = array.values<double>();
  require_one_an_item(values.size(), items, path);
  for (Index i = 0; i < items; ++i)
    require(values[i] >= 0 && values[i] <= 1, path, ": number ", i, " is ", values[i],
            ", expected ", kRule);
  return {values.begin(), values.end()};
}

}  // namespace

std::vector<double> parse_point(std::string_view text, std::string_view name, Index items) {
  const std::string_view start = trimmed(text);
  const bool json = start.starts_with('[') || start.starts_with('{');
  std::vector<double> point = json ? from_json(text, name) : from_lines(text, name);
  require_one_an_item(point.size(), items, name);
  return point;
}

std::vector<double> read_point(const std::string& path, Index items) {
  if (path.ends_with(".npy")) return from_npy(path, items);
  return parse_point(read_file(path), path, items);
}

}  // namespace surefield
