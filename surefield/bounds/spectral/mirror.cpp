#include "surefield/bounds/spectral/mirror.hpp"

#include <cmath>

namespace surefield {

bool is_its_mirror(const PairwiseField& field, const Box& box) {
  for (Index i = 0; i < field.size(); ++i) {
    if (box.low[i] != 1 - box.high[i] || box.high[i] != 1 - box.low[i]) return false;
    double sum = 2 * field.bias[i];
    for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e) {
      const double term = field.coupling[e], next = sum + term;
      // What an addition loses, exactly (Knuth).
      const double taken = next - sum;
      if ((sum - (next - taken)) + (term - taken) != 0) return false;
      sum = next;
    }
    if (sum != 0) return false;
  }
  return true;
}

Index most_coupled(const PairwiseField& field) {
  Index most = 0;
  double size = -1;
  for (Index i = 0; i < field.size(); ++i) {
    double sum = 0;
    for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e)
      sum += std::abs(field.coupling[e]);
    if (sum > size) size = sum, most = i;
  }
  return most;
}

}  // namespace surefield
