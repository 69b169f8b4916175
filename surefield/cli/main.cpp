#include "surefield/cli/program.hpp"

int main(int argc, char** argv) { return surefield::cli::run_program(argc, argv); }
