#include "surefield/experiments/experiment_json.hpp"

#include <cmath>

namespace surefield {

OrderedJson experiment_json(const ExperimentStatus& status) {
  return json_answer("reproduce", {{"experiment", status.experiment},
                                   {"complete", status.complete},
                                   {"faults", status.faults},
                                   {"left_out", status.left_out},
                                   {"seconds", json_number(status.seconds)}});
}

OrderedJson json_interval(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return OrderedJson::array({json_number(interval->low), json_number(interval->high)});
}

OrderedJson json_charts(const std::vector<Chart>& charts) {
  OrderedJson list = OrderedJson::array();
  for (const auto& chart : charts) {
    OrderedJson series = OrderedJson::array();
    for (const auto& trajectory : chart.series) {
      OrderedJson points = OrderedJson::array();
      for (const auto& [epoch, value] : trajectory.points)
        points.push_back(OrderedJson::array({epoch, json_number(value)}));
      series.push_back({{"algorithm", trajectory.algorithm}, {"points", points}});
    }
    list.push_back({{"id", chart.id},
                    {"figure", chart.figure},
                    {"title", chart.title},
                    {"objective", chart.objective},
                    {"category", chart.category},
                    {"n", chart.items},
                    {"D", chart.dimensions},
                    {"folds", chart.folds},
                    {"log_z", json_interval(chart.log_z)},
                    {"log_z_exact", chart.log_z && is_exact(*chart.log_z)},
                    {"one_epoch", 1},
                    {"series", series}});
  }
  return list;
}

std::string all_experiments_json(std::span<const std::string> experiments,
                                 ExperimentStatus status) {
  OrderedJson list = OrderedJson::array();
  for (const auto& text : experiments) {
    list.push_back(OrderedJson::parse(text));
    status.seconds += list.back()["seconds"].get<double>();
  }
  OrderedJson json = experiment_json(status);
  json["experiments"] = std::move(list);
  return json_text(json);
}

}  // namespace surefield
