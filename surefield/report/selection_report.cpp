#include "surefield/report/selection_report.hpp"

#include <nlohmann/json.hpp>

#include "surefield/report/family_report.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/select_report.hpp"

namespace surefield {

std::string selection_text(const ModelSelection& selected) {
  if (!selected.families) return select_text(selected.dimensions.value());
  const std::string families = family_text(*selected.families);
  return selected.dimensions ? select_text(*selected.dimensions) + "\n" + families : families;
}

std::string selection_json(const ModelSelection& selected) {
  if (!selected.families) return select_json(selected.dimensions.value());
  if (!selected.dimensions) return family_json(*selected.families);
  OrderedJson both = OrderedJson::parse(select_json(*selected.dimensions));
  OrderedJson families = OrderedJson::parse(family_json(*selected.families));
  for (const char* same : {"surefield", "command", "data"}) families.erase(same);
  both["families"] = std::move(families);
  return json_text(both);
}

std::string selection_csv(const ModelSelection& selected) {
  return selected.dimensions ? select_csv(*selected.dimensions)
                             : family_csv(selected.families.value());
}

}  // namespace surefield
