#include "surefield/report/recommend_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "surefield/core/sets_text.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

constexpr std::size_t kListed = 20;  // items of a list in the text

std::string name_of(const Result& result, Index i) {
  return result.items.empty() ? fmt::format("{}", i) : result.items[i];
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
  if (answer.method == "gain")
    return fmt::format("by gain: of each item if nothing else is put in; F(have) = {:.6f}",
                       answer.completion.start_value);
  std::string text = fmt::format("mean field, elbo {:.6f}", result.elbo);
  if (result.status == Status::kFailed) return text + "; FAILED: the numbers cannot be trusted";
  if (result.certified_global) return text + ", the global optimum, certified";
  if (result.upper_bound)
    return text + fmt::format("; no other is better than {}, certified",
                              round_up_text(*result.upper_bound, 6));
  return text + "; nothing is known about how much better another may be";
}

OrderedJson named(const Result& result, Index i) {
  OrderedJson json{{"item", i}};
  if (!result.items.empty()) json["name"] = result.items[i];
  return json;
}

OrderedJson json_of(const Result& result, const std::vector<Effect>& effects) {
  OrderedJson json = OrderedJson::array();
  for (const Effect& effect : effects) {
    json.push_back(named(result, effect.item));
    json.back()["before"] = effect.before;
    json.back()["after"] = effect.after;
  }
  return json;
}

void put_effects(TextTable& table, std::string_view what, const Result& result,
                 const std::vector<Effect>& effects) {
  for (const Effect& effect : effects)
    table.add_line(fmt::format("{:<12}  {}  {:.6f} -> {:.6f}", what, name_of(result, effect.item),
                               effect.before, effect.after),
                   6);
}

double size_of_change(const Effect& effect) { return effect.change(); }
double size_of_change(const Reason& reason) { return reason.effect; }

template <class Change>
std::string joined(const std::vector<std::string>& items, const std::vector<Change>& changes) {
  std::string out;
  for (const Change& change : changes)
    out += fmt::format("{}{} {:+.6f}", out.empty() ? "" : "; ",
                       items.empty() ? fmt::format("{}", change.item) : items[change.item],
                       size_of_change(change));
  return out;
}

OrderedJson json_of(const std::vector<std::string>& items, const std::vector<Reason>& reasons) {
  OrderedJson json = OrderedJson::array();
  for (const Reason& reason : reasons) {
    json.push_back({{"item", reason.item}});
    if (!items.empty()) json.back()["name"] = items[reason.item];
    json.back()["effect"] = reason.effect;
  }
  return json;
}

}  // namespace

std::string recommend_text(const RecommendResult& answer) {
  const Result& result = answer.result;
  std::string out;
  out += named_line("have", listed(result, answer.have));
  if (!answer.out.empty()) out += named_line("out", listed(result, answer.out));
  out += named_line("marginals", certainty(answer));
  out += named_line("model", fmt::format("{}, n = {}, {:.3g} s", result.model_kind,
                                         result.marginals.size(), result.seconds));
  out += named_line("guarantee", result.guarantee);
  for (const auto& note : result.notes) out += named_line("note", note);
  if (answer.suggestions.empty()) {
    out += answer.left == 0 ? "\nnothing is left to suggest\n" : "";
  } else {
    TextTable table({{"rank"}, {"marginal"}, {"gain"}, {"item", TextTable::Side::kLeft}});
    for (std::size_t k = 0; k < answer.suggestions.size(); ++k) {
      const Suggestion& one = answer.suggestions[k];
      table.add({fmt::format("{}", k + 1), fmt::format("{:.6f}", one.marginal),
                 fmt::format("{:.6f}", one.gain), name_of(result, one.item)});
      for (const Reason& reason : one.because)
        table.add_line(fmt::format("{:<12}  {}  {:+.6f} of its gain", "because of",
                                   name_of(result, reason.item), reason.effect),
                       6);
      put_effects(table, "replaces", result, one.replaces);
      put_effects(table, "complements", result, one.complements);
    }
    if (answer.left > answer.suggestions.size())
      table.add_line(fmt::format("... and {} more (-k)", answer.left - answer.suggestions.size()));
    out += '\n' + table.text();
  }
  const Completion& whole = answer.completion;
  if (whole.steps.empty()) {
    fmt::format_to(std::back_inserter(out),
                   "\nno single item makes the basket more probable than it is, F = {:.6f}\n",
                   whole.start_value);
  } else {
    fmt::format_to(std::back_inserter(out),
                   "\ngreedy completion of the basket, F from {:.6f} to {:.6f}\n",
                   whole.start_value, whole.end_value);
    TextTable steps({{""}, {"", TextTable::Side::kLeft}});
    for (const auto& [item, gain] : whole.steps)
      steps.add({fmt::format("{:+.6f}", gain), name_of(result, item)});
    out += steps.text();
  }
  return out;
}

std::string recommend_json(const RecommendResult& answer) {
  const Result& result = answer.result;
  OrderedJson suggestions = OrderedJson::array(), completion = OrderedJson::array();
  for (const Suggestion& one : answer.suggestions) {
    suggestions.push_back(named(result, one.item));
    suggestions.back()["marginal"] = one.marginal;
    suggestions.back()["gain"] = one.gain;
    suggestions.back()["replaces"] = json_of(result, one.replaces);
    suggestions.back()["complements"] = json_of(result, one.complements);
    suggestions.back()["because"] = json_of(result.items, one.because);
  }
  for (const auto& [item, gain] : answer.completion.steps) {
    completion.push_back(named(result, item));
    completion.back()["gain"] = gain;
  }
  return json_text(json_answer(
      "recommend",
      {{"model",
        {{"kind", result.model_kind}, {"n", result.marginals.size()}, {"items", result.items}}},
       {"inverse_temperature", result.inverse_temperature},
       {"have", answer.have},
       {"out", answer.out},
       {"exact", answer.exact},
       {"method", answer.method},
       {"status", text_of(result.status)},
       {"elbo",
        answer.exact || answer.method == "gain" ? OrderedJson(nullptr) : json_number(result.elbo)},
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
       {"seconds", result.seconds}}));
}

std::string recommend_csv(const RecommendResult& answer) {
  const Result& result = answer.result;
  CsvTable csv{"rank",  "index",    "item",        "marginal", "gain",
               "exact", "replaces", "complements", "because"};
  for (std::size_t k = 0; k < answer.suggestions.size(); ++k) {
    const Suggestion& one = answer.suggestions[k];
    csv.add(k + 1, one.item, result.items.empty() ? "" : result.items[one.item], one.marginal,
            one.gain, answer.exact, joined(result.items, one.replaces),
            joined(result.items, one.complements), joined(result.items, one.because));
  }
  return csv.text();
}

std::string basket_answers_head(std::string_view format) {
  if (format == "json") return {};
  if (format == "text") return std::string(kSetsDeclaration) + '\n';
  return CsvTable{"basket", "rank", "index", "item", "marginal", "gain", "exact", "because"}.text();
}

std::string basket_answers_text(std::string_view format, Index first,
                                std::span<const BasketAnswer> answers,
                                const std::vector<std::string>& items) {
  const auto label = [&](Index i) { return items.empty() ? fmt::format("{}", i) : items[i]; };
  std::string out;
  for (Index b = 0; b < answers.size(); ++b) {
    const Index basket = first + b + 1;
    if (format == "text") {
      append_set(out, answers[b].suggestions,
                 [&](const Suggestion& one) { return set_field(label(one.item)); });
      continue;
    }
    OrderedJson list = OrderedJson::array();
    for (std::size_t k = 0; k < answers[b].suggestions.size(); ++k) {
      const Suggestion& one = answers[b].suggestions[k];
      if (format == "csv") {
        out += csv_line(basket, k + 1, one.item, items.empty() ? "" : items[one.item], one.marginal,
                        one.gain, answers[b].exact, joined(items, one.because));
        continue;
      }
      list.push_back({{"item", one.item}});
      if (!items.empty()) list.back()["name"] = items[one.item];
      list.back()["marginal"] = one.marginal;
      list.back()["gain"] = one.gain;
      if (!one.because.empty()) list.back()["because"] = json_of(items, one.because);
    }
    if (format == "json")
      out += OrderedJson{{"basket", basket}, {"exact", answers[b].exact}, {"suggestions", list}}
                 .dump() +
             '\n';
  }
  return out;
}

}  // namespace surefield
