// What every piece of work is told besides its own options: seed, threads, progress; of a model the items forced in and
// out and whether nothing need be guaranteed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "python/bindings/keywords.hpp"
#include "python/bindings/watch.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/model_file.hpp"

namespace surefield::python {

struct Setting {
  std::uint64_t seed = 1;
  Index threads = 1;
  py::object progress = py::none();
  py::object in = py::none(), out = py::none();  ///< items by place or label
  bool no_guarantee = false;
};

/// Takes what is the setting's out of the keywords.
Setting setting_of(Keywords& keywords, py::dict& given);

/// The places of items given as whole numbers or labels, one or several. Throws Error, naming the argument.
std::vector<Index> places_of(const py::object& items, const ModelFile& file, const char* argument);
/// The same for many, of whom the names are looked up in one table.
std::vector<Index> places_of(const py::object& items, const ItemLookup& lookup,
                             const ModelFile& file, const char* argument);

/// The model on its box with the items forced in and out. Where the model is not submodular it throws Error, unless
/// `any_sign` says that the work answers for any F.
Problem problem_of(const ModelFile& file, const Setting& setting, bool any_sign);

/// One thread for models that are Python code.
unsigned threads_for(const Setting& setting, const ModelFile& file);

}  // namespace surefield::python
