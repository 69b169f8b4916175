// Independent work on as many threads as asked for. Results must not depend on who does what when.
#pragma once

#include <cstddef>
#include <functional>

namespace surefield {

/// work(0), ..., work(count - 1), each once, in any order; in order on one thread.
void for_each_index(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t)>& work);

/// Runs the work with at most so many threads inside it, whatever it starts by itself.
void with_threads(unsigned threads, const std::function<void()>& work);

}  // namespace surefield
