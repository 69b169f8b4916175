#include "python/bindings/setting.hpp"

#include "python/bindings/code.hpp"
#include "surefield/api/item_choice.hpp"
#include "surefield/core/error.hpp"

namespace surefield::python {

Setting setting_of(Keywords& keywords, py::dict& given) {
  Setting setting;
  const auto pop = [&](const char* name) -> py::object {
    return given.contains(name) ? py::object(given.attr("pop")(name)) : py::object(py::none());
  };
  setting.progress = pop("progress");
  setting.in = pop("include");
  setting.out = pop("exclude");
  keywords.whole("seed", setting.seed, kAnySeed, "");
  keywords.whole("threads", setting.threads, kThreads, "");
  keywords.flag("no-guarantee", setting.no_guarantee, "");
  return setting;
}

std::vector<Index> places_of(const py::object& items, const ModelFile& file, const char* argument) {
  if (items.is_none()) return {};
  return places_of(items, ItemLookup(file.model.size(), 0, file.items), file, argument);
}

std::vector<Index> places_of(const py::object& items, const ItemLookup& lookup,
                             const ModelFile& file, const char* argument) {
  std::vector<Index> places;
  const Index n = file.model.size();
  const auto add = [&](py::handle item) {
    if (py::isinstance<py::str>(item)) {
      const std::vector<std::string> name{item.cast<std::string>()};
      places.push_back(find_items(name, lookup, file.items, argument).front());
      return;
    }
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(item.ptr()));
    const std::uint64_t place = index ? PyLong_AsUnsignedLongLong(index.ptr()) : n;
    PyErr_Clear();
    require(place < n, argument, ": ", py::repr(item).cast<std::string>(), " is not ",
            lookup.expected());
    places.push_back(place);
  };
  if (py::isinstance<py::str>(items) || !py::hasattr(items, "__iter__"))
    add(items);
  else
    for (const auto& item : items) add(item);
  return places;
}

Problem problem_of(const ModelFile& file, const Setting& setting, bool any_sign) {
  Box box = file.box;
  fix_items(box, places_of(setting.in, file, "include"), 1, file.items, "include");
  fix_items(box, places_of(setting.out, file, "exclude"), 0, file.items, "exclude");
  return make_problem(file.model, file.items, std::move(box),
                      {.no_guarantee = any_sign || setting.no_guarantee});
}

unsigned threads_for(const Setting& setting, const ModelFile& file) {
  return is_python_code(file.model) ? 1U : static_cast<unsigned>(setting.threads);
}

}  // namespace surefield::python
