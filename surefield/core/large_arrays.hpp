// Where large arrays that are read here and there should live: on cache lines, and on pages of 2 MB where the machine has them.
//
// An array of 160 MB is 40000 pages of 4 KB, far more than a core remembers: nearly every visit looks its page up in memory too.
// A standard allocator: below 4 MB nothing but the alignment, from there on whole pages of 2 MB that Linux is asked to make one.
// What resize() adds to an array of plain numbers is not set to zero first.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace surefield {

/// Asks memory for the cache line of an address, to be there when it is read.
inline void prefetch_line(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  static_cast<void>(address);
#endif
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
#if defined(__linux__)
    if (bytes >= kLarge) madvise(memory, bytes, MADV_HUGEPAGE);  // advice: it may say no
#endif
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
  static constexpr std::size_t kLine = 64, kPage = std::size_t{1} << 21, kLarge = 2 * kPage;
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= kLarge ? kPage : kLine};
  }
};

}  // namespace surefield
