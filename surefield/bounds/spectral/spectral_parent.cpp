#include "surefield/bounds/spectral/spectral_parent.hpp"

namespace surefield {

std::shared_ptr<const SpectralParent> handed_on(const Quadratic& quadratic,
                                                const CliqueSearchResult& found, bool cliques,
                                                Index items) {
  auto parent = std::make_shared<SpectralParent>();
  parent->uses_cliques = cliques;
  parent->d.assign(items, 0.0), parent->l.assign(items, 0.0);
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  const auto item = [&](Eigen::Index i) { return quadratic.item[static_cast<std::size_t>(i)]; };
  for (Eigen::Index i = 0; i < n; ++i) {
    parent->d[item(i)] = found.found.point.d[i];
    parent->l[item(i)] = found.found.point.l[i];
  }
  for (std::size_t t = 0; cliques && t < found.cliques.size(); ++t) {
    const double y = found.found.point.y[static_cast<Eigen::Index>(t)];
    if (!(y > 0)) continue;
    CliqueInequality known = found.cliques[t];
    for (int k = 0; k < known.items; ++k) {
      Eigen::Index& at = known.item[static_cast<std::size_t>(k)];
      at = static_cast<Eigen::Index>(item(at));
    }
    parent->cliques.push_back(known);
    parent->y.push_back(static_cast<float>(y));
  }
  return parent;
}

std::pair<SpectralPoint, std::vector<CliqueInequality>> inherited(const Quadratic& quadratic,
                                                                  const Box& box,
                                                                  const SpectralParent& parent) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  std::vector<Eigen::Index> place(box.size(), -1);
  std::vector<double> middle(box.size());
  for (Index i = 0; i < box.size(); ++i) middle[i] = box.low[i] / 2 + box.high[i] / 2;
  Eigen::VectorXd d(n), l(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Index item = quadratic.item[static_cast<std::size_t>(i)];
    place[item] = i;
    d[i] = parent.d[item];
    l[i] = parent.l[item];
  }
  std::vector<CliqueInequality> known;
  std::vector<double> y;
  for (std::size_t t = 0; t < parent.cliques.size(); ++t) {
    CliqueInequality clique = parent.cliques[t];
    if (!restrict_clique(clique, place, middle)) continue;
    known.push_back(clique);
    y.push_back(parent.y[t]);
  }
  const auto m = static_cast<Eigen::Index>(y.size());
  return {{std::move(l), std::move(d), Eigen::Map<Eigen::VectorXd>(y.data(), m)}, std::move(known)};
}

}  // namespace surefield
