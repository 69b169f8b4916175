// Checkpoints of an ascent: what is found is what was saved, on any partition, and nothing else is taken for it.
#pragma once

#include <string>

#include "surefield/distributed/communicator.hpp"

/// Collective. In a folder that is there and empty of checkpoints; what is wrong goes to stderr.
bool saved_ascents_are_found_whole(const std::string& folder, const surefield::Communicator& ranks);
