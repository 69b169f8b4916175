# The two commands are `make run` and `make test`. Everything else is for developers; see CONTRIBUTING.md.
JOBS ?= $(shell nproc)

COUNT ?= 100000
SEED ?= 0

.PHONY: help setup build run test torture ranks headers sanitize bench tidy format

help:
	@echo "make run       install what is missing, build, and show what Surefield does"
	@echo "make build     install what is missing, and build all: the program, surefield-mpi, Python's module"
	@echo "make test      install what is missing, build, and pass all tests"
	@echo "make torture   COUNT=1000000 random problems against the truth; SEED=0 is the first"
	@echo "make ranks     COUNT=10000 random fields on 1 to 4 ranks against one process, bit by bit"
	@echo "make headers   every installed header compiles by itself"
	@echo "make bench     measure; answers are checked before the clock starts"
	@echo "make sanitize  all tests under the address and undefined behaviour sanitizers"
	@echo "make tidy      clang-tidy over the library and the program"
	@echo "make format    clang-format over everything"

setup:
	@scripts/setup.sh

build: setup
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS)

# The program alone: what else there is to build, Python's module and surefield-mpi, it does not show.
run: setup
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target surefield_cli
	@scripts/demo.sh build/release/surefield

test: setup
	@cmake --preset dev
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev -j $(JOBS)
	@python3 tests/python/count.py build/dev/python/results

torture: setup
	@cmake --preset dev
	@cmake --build --preset dev -j $(JOBS) --target surefield_torture
	@build/dev/tests/surefield_torture $(COUNT) $(SEED) --threads $(JOBS)

RANKS_TEST = tests/distributed/ranks_test.py
ranks: setup
	@cmake --preset dev
	@cmake --build --preset dev -j $(JOBS) --target surefield_cli surefield_mpi surefield_same_bits surefield_shared_tasks
	@SUREFIELD_CASES=$(COUNT) python3 $(RANKS_TEST) "$$(command -v mpiexec)" build/dev/surefield build/dev/surefield-mpi \
	  build/dev/tests/surefield_same_bits build/dev/tests/surefield_shared_tasks

headers: setup
	@python3 tests/repository/check_headers.py --alone "$${CXX:-c++}" . -isystem /usr/include/eigen3

sanitize: setup
	@cmake --preset sanitize
	@cmake --build --preset sanitize -j $(JOBS)
	@ctest --preset sanitize -j $(JOBS)

bench: setup
	@cmake --preset release -DSUREFIELD_BUILD_BENCH=ON
	@cmake --build --preset release -j $(JOBS)
	@scripts/bench.sh build/release

tidy: setup
	@cmake --preset tidy
	@cmake --build --preset tidy -j $(JOBS)

format:
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i
