"""The program over 2, 3 and 4 ranks against the program of one process: answers bit by bit, refusals word by word.

usage: ranks_test.py MPIEXEC PROGRAM MPI_PROGRAM SAME_BITS SHARED_TASKS [TEST ...]

SUREFIELD_CASES=10000 takes so many random fields instead of 25, and larger fields and graphs, on 1 to 4 ranks (`make ranks COUNT=10000`);
SUREFIELD_KILLS=10 kills a run so often, at random times, and lets it go on; SUREFIELD_KILL_ITEMS=1000000 makes that a run of minutes.

Tests run three at a time: ranks spend most of so short a life waiting for their start and their end. Files are in memory where the machine has
a place for that: models and checkpoints are small and many, and a disk would be waited for at each.
"""
import concurrent.futures
import io
import sys
import time
import unittest

from faults import Faults
from same_answers import SameAnswers
from shared_work import SharedWork

# Begun first, so that no long one begins when the others are done.
LONG = {"test_random_fields_have_the_same_bits", "test_sweeps_have_the_bytes_of_one_process",
        "test_a_killed_run_goes_on_to_the_bits_of_an_undisturbed_one", "test_tasks_are_shared_as_promised",
        "test_a_checkpoint_is_taken_up_by_its_own_run_alone", "test_refusals_come_once_and_end_all_ranks",
        "test_searches_and_sweeps_under_ctrl_c_answer_with_what_they_have", "test_out_of_memory_on_one_rank_ends_all_with_its_name"}


def run(case):
    """One test, with what it has to say."""
    told = io.StringIO()
    began = time.time()
    result = unittest.TextTestRunner(told, verbosity=2).run(case)
    return result.wasSuccessful(), f"{told.getvalue()}{case.id()}: {time.time() - began:.1f} s"


if __name__ == "__main__":
    of = {name: case for case in (SameAnswers, Faults, SharedWork) for name in unittest.defaultTestLoader.getTestCaseNames(case)}
    names = sys.argv[6:] or of
    cases = [of[name](name) for name in sorted(names, key=lambda name: name not in LONG)]
    with concurrent.futures.ThreadPoolExecutor(3) as three:
        outcomes = list(three.map(run, cases))
    for passed, told in outcomes:
        print(told, file=sys.stderr)
    sys.exit(not all(passed for passed, _ in outcomes))
