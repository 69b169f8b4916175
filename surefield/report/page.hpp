// The report page: one HTML file that opens offline and holds the results it shows.
//
// The page is a template made at build time from page/ (style, script and chart library in one
// file) with the result JSON put in as data blocks. No text of a result becomes markup: in a data
// block `<` is written \u003c, so none can end it early, and the script puts every text in as text.
// The numbers keep the digits they came with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surefield {

struct PageResult {
  std::string name;  ///< shown above the result: the file it came from
  std::string json;  ///< made by page_json
};

/// The JSON of one result as a data block holds it: without spaces, `<` escaped. Throws Error,
/// beginning with `name`, unless it is JSON and a result of this program: an object with
/// "surefield": "1" and a "command".
std::string page_json(std::string_view name, std::string_view text);

/// Throws Error unless the template has a place for the results.
std::string report_page(std::string_view page_template, const std::vector<PageResult>& results,
                        std::string_view title);

}  // namespace surefield
