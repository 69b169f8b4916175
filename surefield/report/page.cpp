#include "surefield/report/page.hpp"

#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "surefield/core/ordered_json.hpp"

namespace surefield {
namespace {

constexpr std::string_view kPlace = "<!--surefield:results-->";
constexpr int kDeepest = 64;  // results nest five deep; a reader of the page has a stack too

/// Valid JSON without the spaces between its parts. `<` stands in strings only, where \u003c is the
/// same character.
std::string data_block(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') {
      out += "\\u003c";
      continue;
    }
    if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
    out += c;
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') out += text[++i];  // what follows ends no string; it is never `<`
  }
  return out;
}

}  // namespace

std::string page_json(std::string_view name, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  OrderedJson json;
  try {
    json = OrderedJson::parse(text, [&](int depth, OrderedJson::parse_event_t, OrderedJson&) {
      require(depth <= kDeepest, name, ": nests deeper than ", kDeepest,
              " levels, which no result of surefield does");
      return true;
    });
  } catch (const OrderedJson::parse_error& error) {
    require(!text.empty(), name, ": is not JSON: it is empty");
    require(error.byte <= text.size(), name, ": is not JSON: it ends too early, after ",
            text.size(), " bytes");
    fail(name, ": is not JSON: it goes wrong at byte ", error.byte, " of ", text.size());
  }
  const auto is = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
  require(json.is_object() && is("surefield") && is("command"), name,
          ": is JSON but not a result of surefield, which has \"surefield\": \"1\" and a "
          "\"command\"; results are written by --format json");
  require(json["surefield"] == "1", name, ": is a result of version ",
          json["surefield"].get_ref<const std::string&>(), ", and this program reads version 1");
  return data_block(text);
}

std::string report_page(std::string_view page_template, const std::vector<PageResult>& results,
                        std::string_view title) {
  const std::size_t place = page_template.find(kPlace);
  require(place != std::string_view::npos, "report: the template of the page has no ", kPlace);
  OrderedJson about{{"title", title}, {"files", OrderedJson::array()}};
  for (const auto& result : results) about["files"].push_back(result.name);
  std::string out(page_template.substr(0, place));
  out += "<script type=\"application/json\" id=\"report\">";
  out += data_block(about.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  out += "</script>\n";
  for (const auto& result : results) {
    out += "<script type=\"application/json\" class=\"result\">";
    out += result.json;
    out += "</script>\n";
  }
  out += page_template.substr(place + kPlace.size());
  return out;
}

}  // namespace surefield
