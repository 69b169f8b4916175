// surefield <command> [options]: parsing stores and checks, the command then runs through the front
// door in api/.
#pragma once

namespace surefield::cli {

/// All of the program but main; returns the exit code.
int run_program(int argc, char** argv);

}  // namespace surefield::cli
