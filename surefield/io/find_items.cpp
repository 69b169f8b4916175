#include "surefield/io/find_items.hpp"

#include "surefield/core/error.hpp"
#include "surefield/io/nearest_names.hpp"

namespace surefield {

std::vector<Index> find_items(const std::vector<std::string>& items, const ItemLookup& lookup,
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

void fix_items(Box& box, const std::vector<std::string>& items, double v, const ItemLookup& lookup,
               const std::vector<std::string>& names, std::string_view option) {
  const auto places = find_items(items, lookup, names, option);
  for (Index k = 0; k < places.size(); ++k) {
    const Index i = places[k];
    require(box[i].contains(v), option, ": item '", items[k], "' is bounded to [", box.low[i], ", ",
            box.high[i], "] already");
    box.fix(i, v);
  }
}

}  // namespace surefield
