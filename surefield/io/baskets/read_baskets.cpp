#include "surefield/io/baskets/read_baskets.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/sets_text.hpp"
#include "surefield/io/baskets/fields.hpp"
#include "surefield/io/baskets/find_reading.hpp"
#include "surefield/io/baskets/line_source.hpp"
#include "surefield/io/baskets/set_builder.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/open_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

using Blank = SetsOptions::Blank;

class BasketReader {
 public:
  BasketReader(LineSource& lines, const BasketOptions& options, Index file_size)
      : lines_(lines), options_(options), file_size_(file_size) {}

  Baskets read() {
    look_at_head();
    while (lines_.next()) {
      const std::string_view content = trimmed(lines_.line());
      if (content.empty()) {
        blank();
      } else if (content.front() == '#') {
        result_.comments += content != kSetsDeclaration;
      } else {
        fields_.split(lines_.line(), result_.separator, lines_.name(), lines_.number());
        if (std::exchange(header_, false))
          take_header();
        else
          take_line();
      }
    }
    builder_.close_order();
    finish();
    return std::move(result_);
  }

 private:
  void look_at_head() {
    const std::string_view head = lines_.head();
    const Reading reading = find_reading(head, options_, lines_.name());
    result_.separator = reading.separator;
    result_.separated = reading.separated;
    result_.layout = reading.layout;
    if (!options_.encoding) options_.encoding = reading.encoding;
    header_ = reading.layout.header;
    // The file goes on as it starts, about.
    if (reading.layout.form != Form::kLong && file_size_ > 0 && !head.empty())
      builder_.expect(static_cast<Index>(1.02 * static_cast<double>(reading.rows) *
                                         static_cast<double>(file_size_) /
                                         static_cast<double>(head.size())));
  }

  void blank() {
    if (options_.blank_lines == Blank::kRefuse)
      lines_.fail_here("the line is blank, expected a set of items");
    ++result_.data.blank_lines;
    if (options_.blank_lines == Blank::kEmptySet && result_.layout.form == Form::kLines)
      builder_.close();
  }

  void take_header() {
    const Layout& layout = result_.layout;
    if (layout.form == Form::kLong) {
      result_.order_name = fields_[layout.order];
      result_.item_name = fields_[layout.item];
    }
    if (layout.form != Form::kMatrix) return;
    const Index from = layout.rows_are_numbered ? 1 : 0;
    for (Index j = from; j < fields_.size(); ++j) {
      if (fields_[j].empty()) lines_.fail_here("column ", j + 1, " has no name");
      if (builder_.labels.place(fields_[j], lines_.number()) != j - from)
        lines_.fail_here("two columns are called ", in_quotes(fields_[j]));
    }
  }

  void take_line() {
    switch (result_.layout.form) {
      case Form::kLines:
        return take_set();
      case Form::kLong:
        return take_item();
      case Form::kMatrix:
        return take_row();
    }
  }

  void take_set() {
    fields_.drop_padding();
    if (fields_.size() == 0) return blank();
    for (Index k = 0; k < fields_.size(); ++k) {
      if (!fields_[k].empty())
        builder_.add(fields_[k], lines_.number());
      else if (fields_.size() > 1)
        lines_.fail_here("field ", k + 1, " is empty, expected an item");
    }
    builder_.close();
  }

  void expect_columns() const {
    const Index columns = result_.layout.columns;
    if (fields_.size() != columns)
      lines_.fail_here("the line has ", fields_.size(), " fields, expected ", columns,
                       " as the first line has");
  }

  void take_item() {
    expect_columns();
    const std::string_view order = fields_[result_.layout.order];
    const std::string_view item = fields_[result_.layout.item];
    if (order.empty()) {
      if (item.empty()) return blank();
      lines_.fail_here("the order of item ", in_quotes(item), " is empty");
    }
    builder_.open_order(order);
    if (item.empty())
      ++result_.lines_without_item;
    else
      builder_.add(item, lines_.number());
  }

  void take_row() {
    expect_columns();
    const Index from = result_.layout.rows_are_numbered ? 1 : 0;
    if (builder_.labels.size() == 0)  // no header: columns by number
      for (Index j = from; j < fields_.size(); ++j)
        builder_.labels.place(std::to_string(j - from + 1), lines_.number());
    for (Index j = from; j < fields_.size(); ++j) {
      const auto bit = bit_of(fields_[j]);
      if (!bit)
        lines_.fail_here("found ", in_quotes(fields_[j]), " in column ", j + 1,
                         ", expected 0 or 1 in a matrix");
      if (*bit) builder_.add(static_cast<std::uint32_t>(j - from));
    }
    builder_.close();
  }

  void finish() {
    const Index blank_lines = result_.data.blank_lines;
    SetCollection& data = builder_.data();
    std::optional<Encoding> encoding = options_.encoding;
    data.names = builder_.labels.decoded(encoding, lines_.has_mark(), lines_.name());
    result_.encoding = *encoding;
    result_.first_lines = builder_.labels.first_lines();
    data.items = data.names.size();
    data.blank_lines = blank_lines;
    if (const auto order = order_of_numbers(data.names)) reorder(data, *order);
    result_.data = std::move(data);
  }

  void reorder(SetCollection& data, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> place(order.size());
    std::vector<std::string> names;
    std::vector<Index> first_lines;
    for (Index k = 0; k < order.size(); ++k) {
      place[order[k]] = static_cast<std::uint32_t>(k);
      names.push_back(std::move(data.names[order[k]]));
      first_lines.push_back(result_.first_lines[order[k]]);
    }
    for (auto& set : data.sets)
      for (auto& item : set) item = place[item];
    data.names = std::move(names);
    result_.first_lines = std::move(first_lines);
  }

  LineSource& lines_;
  BasketOptions options_;
  Index file_size_;
  Baskets result_;
  SetBuilder builder_;
  Fields fields_;
  bool header_ = false;
};

}  // namespace

Baskets parse_baskets(std::string_view text, std::string_view name, const BasketOptions& options) {
  LineSource lines = LineSource::of_text(text, name);
  return BasketReader(lines, options, text.size()).read();
}

Baskets read_baskets(const std::string& path, const BasketOptions& options) {
  const InputFile file = open_file(path);
  std::error_code ignored;
  const bool regular = path != "-" && std::filesystem::is_regular_file(path, ignored);
  const Index size = regular ? std::filesystem::file_size(path, ignored) : 0;
  LineSource lines(
      [&file, &path](char* there, Index most) {
        const Index got = std::fread(there, 1, most, file.get());
        require(got > 0 || std::ferror(file.get()) == 0, path,
                ": cannot be read: ", std::strerror(errno));
        return got;
      },
      path);
  return BasketReader(lines, options, ignored ? 0 : size).read();
}

}  // namespace surefield
