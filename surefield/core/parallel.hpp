// Independent work on as many threads as asked for. Results must not depend on who does what when.
//
// The threads are those of one pool, as many as the machine has cores: to ask for more is allowed
// and changes nothing but that they take turns.
#pragma once

#include <cstddef>
#include <functional>

#include "surefield/core/budget.hpp"

namespace surefield {

/// work(0), ..., work(count - 1), each once, in any order; in order on one thread. If some throw,
/// what the first of them in that order threw comes out, on any number of threads, and some of those
/// behind it may not have run.
void for_each_index(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t)>& work);

/// The same on the threads of a budget; once it is spent no more are begun. Whether all were.
bool for_each_index(std::size_t count, const Budget& budget,
                    const std::function<void(std::size_t)>& work);

/// Runs the work with at most so many threads inside it, whatever it starts by itself.
void with_threads(unsigned threads, const std::function<void()>& work);

}  // namespace surefield
