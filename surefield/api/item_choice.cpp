#include "surefield/api/item_choice.hpp"

#include "surefield/core/error.hpp"
#include "surefield/io/nearest_names.hpp"

namespace surefield {

std::vector<Index> find_items(std::span<const std::string> items, const ItemLookup& lookup,
                              const std::vector<std::string>& names, std::string_view option) {
  std::vector<Index> places;
  for (const auto& item : items) {
    const auto i = lookup.find(item);
    require(i.has_value(), option, ": '", item, "' is not ", lookup.expected(),
            did_you_mean(item, names));
    places.push_back(*i);
  }
  return places;
}

void fix_items(Box& box, std::span<const Index> items, double v,
               const std::vector<std::string>& names, std::string_view option) {
  for (const Index i : items) {
    require(box[i].contains(v), option, ": item '", names.empty() ? message(i) : names[i],
            "' is bounded to [", box.low[i], ", ", box.high[i], "] already");
    box.fix(i, v);
  }
}

}  // namespace surefield
