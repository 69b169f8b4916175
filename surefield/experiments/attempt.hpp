// A task of an experiment that may fail without ending the rest.
#pragma once

#include <optional>
#include <string>
#include <tuple>

namespace surefield {

template <class T>
struct Attempt {
  std::optional<T> found;
  std::string fault;  ///< why there is none; empty too, if it was told to stop on the way
};

template <class T>
auto fields_of(Attempt<T>& attempt) {
  auto& [found, fault] = attempt;
  return std::tie(found, fault);
}

}  // namespace surefield
