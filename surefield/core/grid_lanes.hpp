// Every other number of a row in the lanes of a vector register, and back: four nodes of a run of a grid abreast, or eight.
//
//   row      x0 y0 x1 y1 x2 y2 x3 y3          x is in the run, y between
//   halves   x0 y0 x1 y1 | x2 y2 x3 y3        two registers as they are loaded
//   evens    x0 x2 x1 x3                      no number leaves its 16 bytes: one instruction
//   odds     y0 y2 y1 y3                      beside their left neighbours
//
// The sequence of the nodes in the lanes does not matter as long as all arrays share it. Every function is inlined, so that it takes the
// instruction set of its loop, and takes references, since a vector by value needs an instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace surefield::detail {

struct FourLanes {
  static constexpr std::size_t kCount = 4;
  static constexpr int kAbreast = 3;  ///< registers of nodes that go step by step, as many as fit
  using Numbers = double __attribute__((vector_size(32)));
  using Bits = std::uint64_t __attribute__((vector_size(32)));

  [[gnu::always_inline]] static void evens(const Numbers& a, const Numbers& b, Numbers& to) {
    to = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  }
  [[gnu::always_inline]] static void odds(const Numbers& a, const Numbers& b, Numbers& to) {
    to = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  }
  /// Of odds, and those of the four nodes before, the ones to the left.
  [[gnu::always_inline]] static void left_of(const Numbers& before, const Numbers& odds,
                                             Numbers& to) {
    to = __builtin_shufflevector(before, odds, 3, 6, 4, 5);
  }
  /// Four numbers a node, the nodes eight apart: to[j] is the j-th of every node.
  [[gnu::always_inline]] static void transpose(const double* from, Numbers (&to)[4]) {
    Numbers a, b, c, d, low, high;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&b, from + 8, sizeof b);
    std::memcpy(&c, from + 16, sizeof c);
    std::memcpy(&d, from + 24, sizeof d);
    low = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    high = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    evens(low, high, to[0]);
    odds(low, high, to[1]);
    low = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    high = __builtin_shufflevector(c, d, 2, 3, 6, 7);
    evens(low, high, to[2]);
    odds(low, high, to[3]);
  }
};

/// Pays where a register holds eight numbers, nowhere else.
struct EightLanes {
  static constexpr std::size_t kCount = 8;
  static constexpr int kAbreast = 2;
  using Numbers = double __attribute__((vector_size(64)));
  using Bits = std::uint64_t __attribute__((vector_size(64)));

  [[gnu::always_inline]] static void evens(const Numbers& a, const Numbers& b, Numbers& to) {
    to = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
  }
  [[gnu::always_inline]] static void odds(const Numbers& a, const Numbers& b, Numbers& to) {
    to = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  [[gnu::always_inline]] static void left_of(const Numbers& before, const Numbers& odds,
                                             Numbers& to) {
    to = __builtin_shufflevector(before, odds, 7, 14, 8, 9, 10, 11, 12, 13);
  }
  [[gnu::always_inline]] static void transpose(const double* from, Numbers (&to)[4]) {
    Numbers pair[4], low, high;
    for (int k = 0; k < 4; ++k) {
      FourLanes::Numbers a, b;
      std::memcpy(&a, from + 16 * k, sizeof a);
      std::memcpy(&b, from + 16 * k + 8, sizeof b);
      pair[k] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    low = __builtin_shufflevector(pair[0], pair[1], 0, 1, 4, 5, 8, 9, 12, 13);
    high = __builtin_shufflevector(pair[2], pair[3], 0, 1, 4, 5, 8, 9, 12, 13);
    evens(low, high, to[0]);
    odds(low, high, to[1]);
    low = __builtin_shufflevector(pair[0], pair[1], 2, 3, 6, 7, 10, 11, 14, 15);
    high = __builtin_shufflevector(pair[2], pair[3], 2, 3, 6, 7, 10, 11, 14, 15);
    evens(low, high, to[2]);
    odds(low, high, to[3]);
  }
};

}  // namespace surefield::detail
