#include "surefield/bounds/free_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr std::uint32_t kPutIn = std::numeric_limits<std::uint32_t>::max();

}  // namespace

double entropy_rise(Interval in, double at) {
  return std::max(0.0, entropy(in.clamp(0.5)) - entropy(at)) + gamma_of(16);
}

FreeField free_field(const PairwiseField& field, const Box& box, bool entropies, double narrow) {
  const Index n = field.size();
  require_inside_unit(box, n);
  FreeField free;
  std::vector<std::uint32_t> place(n, kPutIn);
  std::vector<double> value(n, 0);
  for (Index i = 0; i < n; ++i) {
    if (box[i].is_point() || box[i].width() <= narrow) {
      value[i] = box[i].clamp(box.low[i] + box[i].width() / 2);
    } else {
      place[i] = static_cast<std::uint32_t>(free.item.size());
      free.item.push_back(i);
    }
  }
  free.bias.reserve(free.item.size());
  CompensatedSum constant;
  double sizes = std::abs(field.constant), moved = 0, lost = 0;
  constant.add(field.constant);
  free.magnitude = sizes;
  for (Index i = 0; i < n; ++i) {
    double put_in = 0, size = std::abs(field.bias[i]), coupled = size;
    for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e) {
      const Index j = field.neighbour[e];
      const double w = field.coupling[e];
      coupled += std::abs(w);
      if (place[j] == kPutIn) {
        // Between two that are put in, half from either end.
        const double term = w * value[j] * (place[i] == kPutIn ? 0.5 : 1);
        put_in += term, size += std::abs(term);
      } else if (place[i] != kPutIn && i < j && w != 0) {
        free.edges.push_back({place[i], place[j], w});
      }
    }
    free.magnitude += coupled;
    const auto roundings = static_cast<double>(field.start[i + 1] - field.start[i]) + 6;
    lost += gamma_of(roundings) * size + roundings * std::numeric_limits<double>::denorm_min();
    if (place[i] != kPutIn) {
      free.bias.push_back(field.bias[i] + put_in);
      continue;
    }
    const double linear = (field.bias[i] + put_in) * value[i];
    constant.add(linear), sizes += std::abs(linear);
    moved += coupled * box[i].width() / 2 * (1 + gamma_of(roundings));
    if (!entropies) continue;
    constant.add(entropy(value[i])), sizes += 1;
    if (!box[i].is_point()) moved += entropy_rise(box[i], value[i]);
  }
  free.constant = constant.value();
  free.error =
      (lost + moved + gamma_of(16) * sizes) * (1 + gamma_of(2.0 * static_cast<double>(n) + 8));
  return free;
}

}  // namespace surefield
