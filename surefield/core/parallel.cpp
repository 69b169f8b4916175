#include "surefield/core/parallel.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace surefield {

void for_each_index(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t)>& work) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t r = 0; r < count; ++r) work(r);
    return;
  }
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, work); });
}

void with_threads(unsigned threads, const std::function<void()>& work) {
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute(work);
}

}  // namespace surefield
