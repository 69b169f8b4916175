#include "surefield/bounds/spectral/set_annealing.hpp"

#include <cmath>

namespace surefield {
namespace {

constexpr double kWarm = 0.33, kCold = 0.02;  // of the strength of the couplings
constexpr std::size_t kLastSweeps = 100;

double mean_strength(const PairwiseField& field) {
  double strength = 0;
  for (Index i = 0; i < field.size(); ++i) {
    double squares = 0;
    for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e)
      squares += field.coupling[e] * field.coupling[e];
    strength += std::sqrt(squares) / static_cast<double>(field.size());
  }
  return strength;
}

}  // namespace

std::vector<double> annealed_set(const PairwiseField& field, const Box& box, std::vector<double> x,
                                 std::size_t sweeps, Random& random, const Budget& budget) {
  const double strength = mean_strength(field);
  if (!std::isfinite(strength)) return x;
  std::vector<double> gain(field.size());
  field.at(x).gradient(gain);
  bool moved = true;
  for (std::size_t sweep = 0; sweep < sweeps + kLastSweeps && moved && !budget.spent(); ++sweep) {
    const double age = static_cast<double>(sweep) / static_cast<double>(sweeps);
    const bool last = sweep >= sweeps;  // uphill only, until nothing moves
    const double temperature = last ? 0 : strength * kWarm * std::pow(kCold / kWarm, age);
    moved = !last;
    for (Index i = 0; i < field.size(); ++i) {
      if (box[i].is_point()) continue;
      const double to = x[i] == box.low[i] ? box.high[i] : box.low[i];
      const double step = to - x[i], rise = step * gain[i];
      if (last || temperature == 0 ? rise <= 0
                                   : rise < 0 && random.uniform() >= std::exp(rise / temperature))
        continue;
      moved = true;
      x[i] = to;
      for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e)
        gain[field.neighbour[e]] += step * field.coupling[e];
    }
  }
  return x;
}

}  // namespace surefield
