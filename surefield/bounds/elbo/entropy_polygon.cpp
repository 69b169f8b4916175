#include "surefield/bounds/elbo/entropy_polygon.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kEntropyMargin = 1e-14;
constexpr double kNearest = 1e-12;  // a tangent this near 0 or 1 is steep enough, and finite

double tangent(double contact, double x) {
  return entropy(contact) - logit(contact) * (x - contact);
}

double inner(double x) { return std::clamp(x, kNearest, 1 - kNearest); }

}  // namespace

EntropyPolygon::EntropyPolygon(Interval in, double spacing) : in_(in) {
  if (!in_.is_point()) {
    const double first = 2 * std::asin(std::sqrt(in_.low));
    const double last = 2 * std::asin(std::sqrt(in_.high));
    const double count = std::max(1.0, std::ceil((last - first) / spacing));
    for (double k = 0.5; k < count; ++k) {
      const double sine = std::sin((first + (last - first) * k / count) / 2);
      contact_.push_back(inner(in_.clamp(sine * sine)));
    }
  }
}

double EntropyPolygon::excess(double x) const {
  double height = kInfinity;
  for (const double contact : contact_) height = std::min(height, tangent(contact, x));
  return contact_.empty() ? 0 : height - entropy(x);
}

void EntropyPolygon::touch(double x) {
  const double contact = inner(x);
  contact_.insert(std::lower_bound(contact_.begin(), contact_.end(), contact), contact);
}

std::vector<EntropyPolygon::Corner> EntropyPolygon::corners() const {
  if (in_.is_point()) return {{in_.low, entropy(in_.low) + kEntropyMargin}};
  std::vector<Corner> corners;
  corners.reserve(contact_.size() + 1);
  // Every segment belongs to one tangent, which lies below both of its corners.
  double last = contact_.front();
  corners.push_back({in_.low, tangent(last, in_.low) + kEntropyMargin});
  for (const double contact : contact_) {
    const double bend = logit(contact) - logit(last);
    if (!(bend > 1e-9)) continue;
    const double x = last + (tangent(contact, last) - entropy(last)) / bend;
    if (!(x > corners.back().x && x < in_.high)) continue;
    corners.push_back({x, std::max(tangent(last, x), tangent(contact, x)) + kEntropyMargin});
    last = contact;
  }
  corners.push_back({in_.high, tangent(last, in_.high) + kEntropyMargin});
  return corners;
}

}  // namespace surefield
