// Pentagons that moments break (clique_inequalities.hpp). With s_i = +-1 for the ends of an interval, X_ij the moment of s_i s_j and signs b,
//
//   q = (2 + sum over the ten pairs of b_i b_j X_ij) / 4
//
// so that a triangle gains -|c_l| by one item l more, c_l = sum over the triangle of b_i X_il with b_l = -sign(c_l), and two items gain b_l b_m X_lm
// besides. The two are looked for among the dozen with the largest |c_l|. Cost: a triangle O(n).
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "surefield/bounds/spectral/clique_inequalities.hpp"

namespace surefield {
namespace {

constexpr std::size_t kPartners = 12;

struct BrokenPentagon {
  double by;
  CliqueInequality pentagon;
};

/// Moments of s_i s_j, both -1 at the low end of their interval.
Eigen::MatrixXd sign_moments(const Quadratic& quadratic, const Eigen::VectorXd& mean,
                             const Eigen::MatrixXd& moments) {
  const Eigen::VectorXd middle = (quadratic.low + quadratic.high) / 2;
  const Eigen::VectorXd half = (quadratic.high - quadratic.low) / 2;
  Eigen::MatrixXd signs =
      moments - middle * mean.transpose() - mean * middle.transpose() + middle * middle.transpose();
  return half.cwiseInverse().asDiagonal() * signs * half.cwiseInverse().asDiagonal();
}

/// Items ascending; at most two of the signs are flipped, for all five at once change nothing.
CliqueInequality pentagon_of(std::array<std::pair<Eigen::Index, double>, 5> members,
                             const Quadratic& quadratic) {
  std::ranges::sort(members);
  double sum = 0;
  for (const auto& [item, sign] : members) sum += sign;
  CliqueInequality pentagon{.items = 5, .a = 2};
  for (std::size_t k = 0; k < members.size(); ++k)
    put_item(pentagon, k, members[k].first, members[k].second * sum < 0, quadratic);
  return pentagon;
}

}  // namespace

std::vector<CliqueInequality> broken_pentagons(const Quadratic& quadratic,
                                               const Eigen::VectorXd& mean,
                                               const Eigen::MatrixXd& moments,
                                               std::span<const CliqueInequality> known,
                                               double least, std::size_t most) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  std::vector<BrokenPentagon> found;
  if (n < 5 || most == 0) return {};
  const Eigen::MatrixXd signs = sign_moments(quadratic, mean, moments);
  std::vector<Eigen::Index> partner;
  for (const CliqueInequality& triangle : known) {
    if (triangle.items != 3) continue;
    Eigen::VectorXd c = Eigen::VectorXd::Zero(n);
    std::array<double, 3> b;
    double before = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      b[k] = triangle.zero[k] < triangle.one[k] ? 1 : -1;
      for (std::size_t l = 0; l < k; ++l)
        before += b[k] * b[l] * signs(triangle.item[k], triangle.item[l]);
      c += b[k] * signs.col(triangle.item[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) c[triangle.item[k]] = 0;
    partner.clear();
    for (Eigen::Index i = 0; i < n; ++i)
      if (c[i] != 0) partner.push_back(i);
    const std::size_t few = std::min(kPartners, partner.size());
    std::ranges::partial_sort(
        partner, partner.begin() + static_cast<std::ptrdiff_t>(few),
        [&](Eigen::Index i, Eigen::Index j) { return std::abs(c[i]) > std::abs(c[j]); });
    double worst = -least;
    std::pair<Eigen::Index, Eigen::Index> pair{-1, -1};
    for (std::size_t l = 1; l < few; ++l)
      for (std::size_t m = 0; m < l; ++m) {
        const Eigen::Index i = partner[l], j = partner[m];
        const double both = (c[i] > 0) == (c[j] > 0) ? signs(i, j) : -signs(i, j);
        const double q = (2 + before - std::abs(c[i]) - std::abs(c[j]) + both) / 4;
        if (q < worst) worst = q, pair = {i, j};
      }
    if (pair.first < 0) continue;
    const auto against = [&](Eigen::Index i) { return std::pair(i, c[i] > 0 ? -1.0 : 1.0); };
    found.push_back({-worst, pentagon_of({{{triangle.item[0], b[0]},
                                           {triangle.item[1], b[1]},
                                           {triangle.item[2], b[2]},
                                           against(pair.first),
                                           against(pair.second)}},
                                         quadratic)});
  }
  std::ranges::sort(found, [](const BrokenPentagon& s, const BrokenPentagon& t) {
    return s.by != t.by ? s.by > t.by : CliqueOrder{}(s.pentagon, t.pentagon);
  });
  std::vector<CliqueInequality> cliques;
  for (const BrokenPentagon& one : found) cliques.push_back(one.pentagon);
  return first_unknown(cliques, known, most);
}

}  // namespace surefield
