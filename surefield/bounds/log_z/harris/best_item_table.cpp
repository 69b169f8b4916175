#include "surefield/bounds/log_z/harris/best_item_table.hpp"

#include <cmath>
#include <variant>

#include "surefield/bounds/log_z/hoelder/hoelder_split.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kLargestLog = 300;  // the square of e^300 is still a double
constexpr Index kMostEntries = 4'000'000;

}  // namespace

BestItemTable best_item_table(const AnyModel& model, const Box* box, double beta) {
  const HoelderSplit split = split_for_hoelder(model, box, beta);
  require(split.edges.empty(), "harris: the model has pairs");
  BestItemTable table;
  table.items = split.size();
  table.groups = split.pieces.size();
  table.constant = split.constant;
  require(table.items * table.groups <= kMostEntries, "harris: ", table.items, " free items in ",
          table.groups, " groups are more than the limit of ", kMostEntries, " entries");
  std::vector<double> up = split.modular;
  for (const double u : split.modular) {
    require(std::abs(u) <= kLargestLog, "harris: an item adds ", u,
            " by itself, beyond the limit of ", kLargestLog);
    table.alone.push_back(std::exp(u));
  }
  table.worth.assign(table.items * table.groups, 1);
  table.ranking.resize(table.groups);
  for (Index d = 0; d < table.groups; ++d) {
    const auto* const piece = std::get_if<BestItemPiece>(&split.pieces[d]);
    require(piece != nullptr, "harris: the model has terms other than items and best items");
    for (Index m = 0; m < piece->items.size(); ++m) {
      const std::uint32_t k = piece->items[m];
      const double weight = piece->weight[m];
      require(weight >= 0, "harris: the best of a group has the value ", weight,
              ", which must be >= 0");
      up[k] += weight;
      const double worth = std::exp(std::min(weight, 2 * kLargestLog));
      table.worth[d * table.items + k] = worth;
      if (worth > 1) table.ranking[d].push_back(k);
    }
  }
  double all = 0;  // the logarithm of the first bound from above, and of all that is met later
  for (const double gain : up) all += softplus(gain);
  require(all <= kLargestLog, "harris: the gains of all items add up to ", all,
          ", beyond the limit of ", kLargestLog);
  // Values are differences times a weight, three roundings; each exponential is off by an ulp or two.
  table.error = split.error + gamma_of(8) * split.magnitude +
                gamma_of(4 * static_cast<double>(table.items + table.groups));
  return table;
}

}  // namespace surefield
