#include "surefield/models/concave_over_modular/concave.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

struct Row {
  Concave::Kind kind;
  std::string_view name;
};

constexpr std::array<Row, 5> kShapes{{{Concave::Kind::kPower, "power"},
                                      {Concave::Kind::kLog, "log"},
                                      {Concave::Kind::kRatio, "ratio"},
                                      {Concave::Kind::kSaturating, "saturating"},
                                      {Concave::Kind::kTruncated, "truncated"}}};

}  // namespace

double Concave::operator()(double y) const {
  switch (kind) {
    case Kind::kPower:
      return parameter == 1 ? y : std::pow(y, parameter);
    case Kind::kLog:
      return std::log1p(y);
    case Kind::kRatio:
      return y < 1 ? y / (1 + y)
                   : 1 / (1 + 1 / y);  // the second form survives y near the largest double
    case Kind::kSaturating:
      return -std::expm1(-y);
    case Kind::kTruncated:
      return std::min(y, parameter);
  }
  return 0;
}

std::string_view text_of(Concave::Kind kind) {
  return std::find_if(kShapes.begin(), kShapes.end(), [&](const Row& r) { return r.kind == kind; })
      ->name;
}

std::optional<std::string> parameter_fault(const Concave& shape) {
  const double p = shape.parameter;
  switch (shape.kind) {
    case Concave::Kind::kPower:
      if (p > 0 && p <= 1) return std::nullopt;
      return message("has the power ", p, ", which must be above 0 and at most 1");
    case Concave::Kind::kTruncated:
      if (p > 0 && std::isfinite(p)) return std::nullopt;
      return message("truncates at ", p, ", which must be finite and > 0");
    default:
      if (p == 0) return std::nullopt;
      return message("has the parameter ", p, ", but the shape ", text_of(shape.kind),
                     " takes none");
  }
}

Concave make_concave(std::string_view name, double parameter) {
  for (const Row& row : kShapes) {
    if (row.name != name) continue;
    const Concave shape{row.kind, parameter};
    if (const auto fault = parameter_fault(shape))
      fail("concave function: the shape ", name, " ", *fault);
    return shape;
  }
  fail("concave function: the shape is \"", name,
       "\", which must be power, log, ratio, saturating or truncated");
}

}  // namespace surefield
