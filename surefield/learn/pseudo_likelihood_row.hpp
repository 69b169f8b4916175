// What the rows of a pseudo-likelihood work on: arrays over all sets, kept between rows and evaluations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "surefield/learn/pseudo_likelihood.hpp"

namespace surefield {

class PseudoLikelihood::Row {
 public:
  explicit Row(Index sets) : slot(sets, 0), stamp(sets, 0) {}

  /// Of a row that begins: no set has it as its stamp.
  std::uint32_t next_mark() {
    if (++mark_ == 0) {  // all numbers are used up
      std::ranges::fill(stamp, 0U);
      ++mark_;
    }
    return mark_;
  }

  std::vector<double> field;         // h_i of every set met, later the residual
  std::vector<double> chance;        // sigmoid(-h_i)
  std::vector<std::uint32_t> met;    // the sets, where not all are
  std::vector<std::uint32_t> slot;   // place of a set in the arrays
  std::vector<std::uint32_t> stamp;  // the mark of the row that met the set last

  // Of sampled and tabled rows: couplings of the row by place, their derivatives; the place of every item.
  std::vector<double> coupling, by_coupling;
  std::vector<std::uint32_t> place;

 private:
  std::uint32_t mark_ = 0;
};

/// Those that nobody works on. Of 10^6 sets one has 8 MB to be set to 0: once a thread, not at every task.
class PseudoLikelihood::Buffers {
 public:
  std::unique_ptr<Row> take(Index sets) {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Row>(sets);
    std::unique_ptr<Row> row = std::move(idle_.back());
    idle_.pop_back();
    return row;
  }
  void give_back(std::unique_ptr<Row> row) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(row));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Row>> idle_;
};

}  // namespace surefield
