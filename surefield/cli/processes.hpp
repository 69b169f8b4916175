// The processes that run a command together: this one alone in the plain program, the ranks of a job in surefield-mpi.
#pragma once

#include <functional>

#include "surefield/core/crew.hpp"

namespace surefield::cli {

/// Who shares the tasks of a command; nullptr in the plain program. Set before the program runs.
Crew*& crew();

/// Whether this process is the one that writes files and gives the answer.
bool answers();

/// What a process does that has no memory left, before it says so: one of many ends them all, as its share would be done by nobody. nullptr
/// in the plain program. Set before the program runs.
std::function<void()>& when_out_of_memory();

/// As Ctrl-C does, once it is caught: for who hears of one elsewhere.
void ask_to_stop();

}  // namespace surefield::cli
