#include "surefield/bounds/elbo/edge_network.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

EdgeNetwork edge_network(const PairwiseField& model, const Box& box) {
  const Index n = model.size();
  EdgeNetwork net;
  CompensatedSum settled;
  settled.add(model.constant);
  double magnitude = std::abs(model.constant);
  net.bias = model.bias;
  net.scale.assign(n, 0);
  net.start.assign(n + 1, 0);
  const auto edges = model.edges();
  std::vector<std::uint32_t> fixed(n, 0);  // neighbours
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [from, to, weight] = edges[e];
    magnitude += std::abs(weight);
    const Interval at_from = box[from], at_to = box[to];
    if (at_from.is_point()) {  // both fixed: counted at `to`
      net.bias[to] += weight * at_from.low;
      ++fixed[to];
    } else if (at_to.is_point()) {
      net.bias[from] += weight * at_to.low;
      ++fixed[from];
    } else if (weight != 0) {
      net.links.push_back({from, to, weight, e});
      ++net.start[from + 1], ++net.start[to + 1];
    }
  }
  Index most_fixed = 0;
  for (Index i = 0; i < n; ++i) {
    net.start[i + 1] += net.start[i];
    most_fixed = std::max<Index>(most_fixed, fixed[i]);
  }
  net.end.resize(2 * net.links.size());
  auto next = net.start;
  for (std::size_t e = 0; e < net.links.size(); ++e) {
    const auto& link = net.links[e];
    net.end[next[link.from]++] = static_cast<std::uint32_t>(2 * e);
    net.end[next[link.to]++] = static_cast<std::uint32_t>(2 * e + 1);
    net.scale[link.from] += std::abs(link.weight);
    net.scale[link.to] += std::abs(link.weight);
  }
  for (Index i = 0; i < n; ++i) {
    magnitude += std::abs(model.bias[i]) + 1;
    const Index degree = net.start[i + 1] - net.start[i];
    if (degree > 0) {
      net.scale[i] /= static_cast<double>(degree);
      continue;
    }
    const double u = box[i].clamp(sigmoid(net.bias[i]));
    settled.add(net.bias[i] * u + entropy(u));
  }
  // A bias is a plain sum over the fixed neighbours, in the order of the edges.
  net.settled = settled.value() + gamma_of(90 + static_cast<double>(most_fixed)) * magnitude;
  return net;
}

}  // namespace surefield
