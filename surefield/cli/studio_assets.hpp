// The studio's page as built into the program by cmake/studio.cmake.
#pragma once

#include <map>
#include <string>

#include "surefield/studio/studio.hpp"

namespace surefield::cli {

std::map<std::string, studio::Asset> studio_assets();

}  // namespace surefield::cli
