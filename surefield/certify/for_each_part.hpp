// A loop over independent parts, on as many threads as asked for.
#pragma once

#include <cstddef>
#include <functional>

namespace surefield {

/// work(0), ..., work(count - 1), each once, in any order; in order on one thread.
void for_each_part(std::size_t count, unsigned threads,
                   const std::function<void(std::size_t)>& work);

}  // namespace surefield
