// The ranks of a job and what they tell each other: the only file, with its source, that calls MPI.
//
// Every function here but tell and heard is collective: all ranks call it, in the same order. Sums are exact
// (core/exact_sum.hpp), so they have the same bits for any number of ranks. Counts are 64 bits wide: what is longer than
// an MPI call takes goes in pieces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "surefield/core/exact_sum.hpp"

namespace surefield {

class Communicator {
 public:
  /// Starts MPI, and ends it with this. One at a time.
  Communicator(int* argc, char*** argv);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }

  ExactSum sum(const ExactSum& own) const;
  std::uint64_t sum(std::uint64_t own) const;
  double largest(double own) const;
  bool any(bool own) const;

  /// What every rank gave, by rank.
  template <class T>
  std::vector<std::vector<T>> gather_to_all(std::span<const T> own) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::vector<T>> all;
    for (const auto& bytes : gather_bytes(std::as_bytes(own))) {
      auto& part = all.emplace_back(bytes.size() / sizeof(T));
      std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(part.data()));
    }
    return all;
  }

  /// To each rank what is meant for it; what each meant for this one.
  template <class T>
  std::vector<std::vector<T>> swap(const std::vector<std::vector<T>>& to) const {
    std::vector<std::span<const std::byte>> out;
    for (const auto& part : to) out.push_back(std::as_bytes(std::span(part)));
    std::vector<std::vector<T>> from;
    for (const auto& bytes : swap_bytes(out)) {
      auto& part = from.emplace_back(bytes.size() / sizeof(T));
      std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(part.data()));
    }
    return from;
  }

  struct Letter {
    int partner;
    std::span<const std::byte> out;
    std::size_t most_out;     ///< as long as it could be; the partner makes `in` as long
    std::span<std::byte> in;  ///< its front is filled
  };
  /// Between partners only, who may be any of the ranks. Returns when all is there.
  void exchange(std::span<const Letter> letters) const;
  /// The same in two steps: what is between them is done while letters are under way. One post at a time.
  void post(std::span<const Letter> letters) const;
  void wait_for_post() const;

  /// To one rank, whenever it listens; returns at once.
  void tell(int rank, std::string bytes) const;
  /// What another rank has told this one and it has not heard yet, in the order it was told; nothing if there is none.
  std::optional<std::pair<int, std::string>> heard() const;

  /// Runs a rank's own work, that calls none of these functions. If some rank refuses, all do, with the message of the
  /// first that did.
  void together(const std::function<void()>& own_work) const;

  /// What this rank is to say, once, where it waits for another although `told` that the job is to end: the other may be gone, as when it was
  /// killed, and this one will be ended with it.
  void say_when_left_waiting(std::function<bool()> told, std::string message) const;

  /// Ends all ranks with a message that names this one.
  [[noreturn]] void abort(const std::string& message) const;

 private:
  std::vector<std::vector<std::byte>> gather_bytes(std::span<const std::byte> own) const;
  std::vector<std::vector<std::byte>> swap_bytes(
      std::span<const std::span<const std::byte>> out) const;

  struct Told;
  struct Post;
  std::unique_ptr<Post> post_;                       // under way
  mutable std::vector<std::unique_ptr<Told>> told_;  // and not known to have arrived

  int rank_ = 0;
  int size_ = 1;
  int speaks_ =
      -1;  // stderr as it was at the start: a rank that is silent can still say why it ends
};

}  // namespace surefield
