// Where large arrays that are read here and there should live: on cache lines, and on pages of 2 MB where the machine has them.
//
// An array of 160 MB is 40000 pages of 4 KB, far more than a core remembers: nearly every visit looks its page up in memory too.
// A standard allocator: below 4 MB nothing but the alignment, from there on whole pages of 2 MB that Linux is asked to make one.
// What resize() adds to an array of plain numbers is not set to zero first. Vectors of the standard library, which others own, can be
// told to: reserve_large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace surefield {

/// Asks memory for the cache line of an address, to be there when it is read: in the first cache, or, where more comes in between than
/// that holds, in the second. GCC takes a function that does nothing else for one without effects and drops its calls, unless something
/// in it must stay.
template <int kLevel = 1>
inline void prefetch_line(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address, 0, 4 - kLevel);
  asm volatile("");
#else
  static_cast<void>(address);
#endif
}

namespace detail {

inline constexpr std::size_t kLargePage = std::size_t{1} << 21;
inline constexpr std::size_t kLargeArray = 2 * kLargePage;

/// For the whole pages between the ends of an array, before they are written. Advice: the machine may say no.
inline void ask_for_large_pages(void* memory, std::size_t bytes) {
#if defined(__linux__)
  if (bytes < kLargeArray) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (begin + bytes) / kLargePage * kLargePage;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#else
  static_cast<void>(memory), static_cast<void>(bytes);
#endif
}

}  // namespace detail

/// Room for `count` elements in an empty vector, on pages of 2 MB if it is large.
template <class T>
void reserve_large(std::vector<T>& array, std::size_t count) {
  array.reserve(count);
  detail::ask_for_large_pages(array.data(), array.capacity() * sizeof(T));
}

template <class T>
struct LargeArrays {
  using value_type = T;

  LargeArrays() = default;
  template <class U>
  LargeArrays(const LargeArrays<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);  // far below what a machine has
    void* const memory = ::operator new(bytes, alignment(bytes));
    detail::ask_for_large_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }
  /// No value where none is given: whoever resizes fills.
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  bool operator==(const LargeArrays&) const = default;

 private:
  static constexpr std::size_t kLine = 64;
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= detail::kLargeArray ? detail::kLargePage : kLine};
  }
};

}  // namespace surefield
