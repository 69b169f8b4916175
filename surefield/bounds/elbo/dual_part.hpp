// A part of an objective whose maximum on a box, with its own linear and entropy terms, can be
// bounded from above: what dual decomposition is made of.
//
//   P(theta, c) = max over x in the box of  m_r(x) + sum_k theta_k x_k + sum_k c_k H(x_k)
//
// P is jointly convex in (theta, c), with subgradient (x, H(x)) at a maximiser x.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

namespace surefield {

/// Laws: bound(...) is not below the maximum, rounding included, and above it by about `precision`
/// (absolute) where the part can do that; x lies in the box and attains the maximum to as much.
/// All arrays are indexed like members(). c >= 0. A part may keep notes from call to call to be
/// faster the next time, so one part must not be called by two threads at once.
template <class P>
concept DualPart = requires(const P& part, std::span<const double> in, double precision,
                            std::span<double> x) {
  { part.members() } -> std::convertible_to<std::span<const std::uint32_t>>;
  { part.bound(in, in, in, in, precision, x) } -> std::same_as<double>;  // theta, c, low, high
  { part.value(in) } -> std::same_as<double>;                            // m_r(x)
};

}  // namespace surefield
