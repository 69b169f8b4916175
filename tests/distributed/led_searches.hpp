// What searches over ranks promise (core/helpers.hpp): see led_searches.cpp.
#pragma once

#include "surefield/distributed/work_queue.hpp"

/// Under mpirun: whether every search that the first rank leads has the bits of one process, and the others had a part in each.
bool led_searches_have_the_same_bits(const surefield::Communicator& ranks,
                                     surefield::WorkQueue& queue);
