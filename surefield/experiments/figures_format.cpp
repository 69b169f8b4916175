#include <fmt/format.h>

#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/figures.hpp"

namespace surefield {

std::string figures_text(const Figures& figures) {
  std::string out = charts_text(figures.charts);
  out += fmt::format("{} charts, {:.1f} s\n", figures.charts.size(), figures.seconds);
  for (const auto& sentence : figures.left_out) out += fmt::format("left out: {}\n", sentence);
  for (const auto& fault : figures.faults) out += fmt::format("not reproduced: {}\n", fault);
  if (!figures.complete) out += "stopped early: the figures are not complete\n";
  return out;
}

std::string figures_csv(const Figures& figures) { return charts_csv(figures.charts); }

std::string figures_json(const Figures& figures) {
  OrderedJson values = OrderedJson::array();
  for (std::size_t c = 0; c < figures.charts.size(); ++c) {
    const Chart& chart = figures.charts[c];
    for (const auto* list : {&figures.one_epoch[c], &chart.series})
      for (const auto& trajectory : *list)
        values.push_back({{"figure", chart.figure},
                          {"category", chart.category},
                          {"n", chart.items},
                          {"folds", chart.folds},
                          {"objective", chart.objective},
                          {"D", chart.dimensions},
                          {"algorithm", trajectory.algorithm},
                          {"value", json_number(trajectory.last())}});
  }
  OrderedJson json = experiment_json({.experiment = "figures",
                                      .complete = figures.complete,
                                      .faults = figures.faults,
                                      .left_out = figures.left_out,
                                      .seconds = figures.seconds});
  json["charts"] = json_charts(figures.charts);
  json["values"] = std::move(values);
  return json_text(json);
}

}  // namespace surefield
