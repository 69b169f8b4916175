#include "surefield/report/recommend_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "surefield/report/json_number.hpp"
#include "surefield/report/result_csv.hpp"

namespace surefield {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kListed = 20;  // items of a list in the text

std::string name_of(const Result& result, Index i) {
  return result.items.empty() ? fmt::format("{}", i) : result.items[i];
}

/// Control characters would let a file write over the user's terminal.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return text;
}

std::string listed(const Result& result, const std::vector<Index>& items) {
  if (items.empty()) return "nothing";
  std::string out;
  for (Index k = 0; k < std::min(items.size(), kListed); ++k)
    out += (k > 0 ? ", " : "") + printable(name_of(result, items[k]));
  if (items.size() > kListed) out += fmt::format(" and {} more", items.size() - kListed);
  return out;
}

std::string certainty(const RecommendResult& answer) {
  const Result& result = answer.result;
  if (answer.exact) return fmt::format("{}; log Z = {:.6f}", answer.method, result.elbo);
  std::string text = fmt::format("mean field, elbo {:.6f}", result.elbo);
  if (result.status == Status::kFailed) return text + "; FAILED: the numbers cannot be trusted";
  if (result.certified_global) return text + ", the global optimum, certified";
  if (result.upper_bound)
    return text + fmt::format("; no other is better than {:.6f}, certified", *result.upper_bound);
  return text + "; nothing is known about how much better another may be";
}

Json named(const Result& result, Index i) {
  Json json{{"item", i}};
  if (!result.items.empty()) json["name"] = result.items[i];
  return json;
}

Json json_of(const Result& result, const std::vector<Effect>& effects) {
  Json json = Json::array();
  for (const Effect& effect : effects) {
    json.push_back(named(result, effect.item));
    json.back()["before"] = effect.before;
    json.back()["after"] = effect.after;
  }
  return json;
}

void put_effects(std::string& out, std::string_view what, const Result& result,
                 const std::vector<Effect>& effects) {
  for (const Effect& effect : effects)
    fmt::format_to(std::back_inserter(out), "        {:<12}{}  {:.6f} -> {:.6f}\n", what,
                   printable(name_of(result, effect.item)), effect.before, effect.after);
}

std::string joined(const Result& result, const std::vector<Effect>& effects) {
  std::string out;
  for (const Effect& effect : effects)
    out += (out.empty() ? "" : "; ") + name_of(result, effect.item) +
           fmt::format(" {:+.6f}", effect.change());
  return csv_field(out);
}

}  // namespace

std::string recommend_text(const RecommendResult& answer) {
  const Result& result = answer.result;
  std::string out;
  const auto line = [&](std::string_view name, const std::string& text) {
    fmt::format_to(std::back_inserter(out), "{:<14}{}\n", name, text);
  };
  line("have", listed(result, answer.have));
  if (!answer.out.empty()) line("out", listed(result, answer.out));
  line("marginals", certainty(answer));
  line("model", fmt::format("{}, n = {}, {:.3g} s", result.model_kind, result.marginals.size(),
                            result.seconds));
  line("guarantee", result.guarantee);
  for (const auto& note : result.notes) line("note", note);
  if (answer.suggestions.empty()) {
    out += answer.left == 0 ? "\nnothing is left to suggest\n" : "";
  } else {
    out += "\n  rank  marginal       gain  item\n";
    for (std::size_t k = 0; k < answer.suggestions.size(); ++k) {
      const Suggestion& one = answer.suggestions[k];
      fmt::format_to(std::back_inserter(out), "  {:>4}  {:.6f} {:>10.6f}  {}\n", k + 1,
                     one.marginal, one.gain, printable(name_of(result, one.item)));
      put_effects(out, "replaces", result, one.replaces);
      put_effects(out, "complements", result, one.complements);
    }
    if (answer.left > answer.suggestions.size())
      fmt::format_to(std::back_inserter(out), "  ... and {} more (-k)\n",
                     answer.left - answer.suggestions.size());
  }
  const Completion& whole = answer.completion;
  if (whole.steps.empty()) {
    fmt::format_to(std::back_inserter(out),
                   "\nno item adds to the basket, F = {:.6f}: it is complete\n", whole.start_value);
  } else {
    fmt::format_to(std::back_inserter(out),
                   "\ngreedy completion of the basket, F from {:.6f} to {:.6f}\n",
                   whole.start_value, whole.end_value);
    for (const auto& [item, gain] : whole.steps)
      fmt::format_to(std::back_inserter(out), "  {:>+12.6f}  {}\n", gain,
                     printable(name_of(result, item)));
  }
  return out;
}

std::string recommend_json(const RecommendResult& answer) {
  const Result& result = answer.result;
  Json suggestions = Json::array(), completion = Json::array();
  for (const Suggestion& one : answer.suggestions) {
    suggestions.push_back(named(result, one.item));
    suggestions.back()["marginal"] = one.marginal;
    suggestions.back()["gain"] = one.gain;
    suggestions.back()["replaces"] = json_of(result, one.replaces);
    suggestions.back()["complements"] = json_of(result, one.complements);
  }
  for (const auto& [item, gain] : answer.completion.steps) {
    completion.push_back(named(result, item));
    completion.back()["gain"] = gain;
  }
  const Json json{
      {"surefield", "1"},
      {"command", "recommend"},
      {"model",
       {{"kind", result.model_kind}, {"n", result.marginals.size()}, {"items", result.items}}},
      {"inverse_temperature", result.inverse_temperature},
      {"have", answer.have},
      {"out", answer.out},
      {"exact", answer.exact},
      {"method", answer.method},
      {"status", text_of(result.status)},
      {"elbo", answer.exact ? Json(nullptr) : json_number(result.elbo)},
      {"upper_bound", json_number(result.upper_bound)},
      {"certified_global", result.certified_global},
      {"log_z_lower", json_number(result.log_z_lower)},
      {"log_z_upper", json_number(result.log_z_upper)},
      {"log_z_exact", result.log_z_exact},
      {"suggestions", suggestions},
      {"left", answer.left},
      {"completion", completion},
      {"completion_from", json_number(answer.completion.start_value)},
      {"completion_to", json_number(answer.completion.end_value)},
      {"marginals", result.marginals},
      {"guarantee", result.guarantee},
      {"notes", result.notes},
      {"seed", result.seed},
      {"threads", result.threads},
      {"seconds", result.seconds}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string recommend_csv(const RecommendResult& answer) {
  const Result& result = answer.result;
  std::string out = "rank,index,item,marginal,gain,exact,replaces,complements\n";
  for (std::size_t k = 0; k < answer.suggestions.size(); ++k) {
    const Suggestion& one = answer.suggestions[k];
    fmt::format_to(std::back_inserter(out), "{},{},{},{:.17g},{:.17g},{},{},{}\n", k + 1, one.item,
                   result.items.empty() ? "" : csv_field(result.items[one.item]), one.marginal,
                   one.gain, answer.exact, joined(result, one.replaces),
                   joined(result, one.complements));
  }
  return out;
}

}  // namespace surefield
