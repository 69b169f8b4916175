// What a piece of work came to, as Python holds it: the result itself, written when asked for by the same functions of
// report/ that the command line uses.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "surefield/core/report.hpp"
#include "surefield/io/model_file.hpp"
#include "surefield/report/ending.hpp"

namespace surefield::python {

struct Answer {
  std::shared_ptr<const void> result;   ///< what all else looks at
  std::string status;                   ///< as core/report.hpp names it
  std::vector<std::string> shortfalls;  ///< why it is less than was asked for
  std::vector<std::string> notes;       ///< what the command line would say beside the answer
  std::function<std::string()> json, csv;
  std::function<std::string(std::size_t most_items)> text;
  std::vector<std::pair<std::string, std::span<const double>>> arrays;
  std::span<const TracePoint> trace;
  std::function<py::array()> sets;  ///< drawn, as a 0/1 matrix
  std::vector<ModelFile> models;    ///< learned
};

/// The status is that of the ending: interrupted or failed whatever else is true, else `usual` or short.
std::shared_ptr<Answer> answer_of(std::shared_ptr<const void> result, const Ending& ending,
                                  Status usual = Status::kDone);

}  // namespace surefield::python
