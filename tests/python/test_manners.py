"""Signals, threads, forks and memory: as a guest in somebody's process."""
import multiprocessing
import os
import pathlib
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import surefield as sf

RNG = np.random.default_rng(1)
SMALL = sf.Flid(RNG.normal(size=20), RNG.random((20, 5)))


def hard_field(n: int = 60) -> sf.PairwiseField:
    """Repulsive and dense: its log Z takes far longer than any test waits."""
    return sf.PairwiseField(RNG.random(n) * 4, np.triu(-RNG.random((n, n)), 1))


def interrupt_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_gives_what_is_proved_so_far_and_the_next_one_raises() -> None:
    model = hard_field()
    timer = interrupt_after(0.3)
    start = time.monotonic()
    with pytest.warns(sf.ShortfallWarning, match="interrupted"):
        found = sf.log_z(model, seconds=60, width=1e-9)
    assert time.monotonic() - start < 20
    timer.join()
    assert found.status == "interrupted" and not found.exact
    assert found.interval.low < found.interval.high
    timer = interrupt_after(0.2)
    with pytest.warns(sf.ShortfallWarning, match="interrupted"):
        inferred = sf.infer(model, certify=60, gap=0)
    timer.join()
    assert inferred.status == "interrupted" and inferred.optimum.low <= inferred.optimum.high
    with pytest.raises(KeyboardInterrupt):
        interrupt_after(0.05).join()
        time.sleep(1)


def test_no_handler_is_installed_and_handlers_of_others_are_called() -> None:
    before = signal.getsignal(signal.SIGINT)
    sf.infer(SMALL)
    assert signal.getsignal(signal.SIGINT) is before

    class Mine(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Mine

    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Mine):
            sf.log_z(hard_field(), seconds=60, width=1e-9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_the_interpreter_runs_on_and_threads_of_python_may_all_call() -> None:
    ticks = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.002)

    counter = threading.Thread(target=count)
    counter.start()
    with pytest.warns(sf.ShortfallWarning):
        sf.log_z(hard_field(), seconds=0.5, width=1e-9)
    stop.set()
    counter.join()
    assert ticks > 5, "the lock was free during the work"
    answers: list[float] = []
    workers = [threading.Thread(target=lambda: answers.append(sf.infer(SMALL).elbo)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(answers) == 4 and len(set(answers)) == 1


def test_set_functions_and_progress_run_in_the_calling_thread_only(capsys) -> None:
    seen = set()

    def value(S: np.ndarray) -> float:
        seen.add(threading.get_ident())
        return float(np.sqrt(S.sum()))

    sf.log_z(sf.SetFunction(8, value, samples=50), threads=2)
    sf.infer(sf.SetFunction(8, value, samples=50) + sf.GraphCut(np.ones((8, 8)) - np.eye(8)), threads=2)
    assert seen == {threading.get_ident()}
    with pytest.warns(sf.ShortfallWarning):
        sf.log_z(hard_field(), seconds=0.5, width=1e-9, progress=True)
    drawn = capsys.readouterr().err
    assert "logz [" in drawn and drawn.endswith("\r")


def elbo(threads: int) -> float:
    return sf.infer(SMALL, threads=threads).elbo


def test_forks_work_with_one_thread_and_are_refused_with_more_once_threads_ran() -> None:
    expected = elbo(1)
    sf.log_z(hard_field(20), threads=2, seconds=1)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(elbo, [1, 1, 1]) == [expected] * 3
        with pytest.raises(sf.Error, match="forked after its parent had used threads"):
            pool.map(elbo, [2])


@pytest.mark.parametrize("backend", ["loky"])
def test_joblib(backend: str) -> None:
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_backend(backend, n_jobs=2):
        found = joblib.Parallel()(joblib.delayed(elbo)(1) for _ in range(2))
    assert found == [elbo(1)] * 2


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps what was freed")
def test_many_calls_leave_memory_flat() -> None:
    model = sf.Flid([1.0, 2.0, 0.5], [[0.3, 0.9], [0.8, 0.1], [0.4, 0.4]])

    class Mine(sf.SetFunction):
        def value(self, S: np.ndarray) -> float:
            return 0.0

    def many(count: int) -> int:
        for _ in range(count):
            sf.infer(model, algorithm="dr-double-greedy").marginals
            sf.from_json(model.to_json()).evaluate([1, 0, 1])
            Mine(3, samples=1).evaluate([1, 1, 1])
            with pytest.raises(sf.Error):
                sf.infer(model, beta=-1)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    count = int(os.environ.get("SUREFIELD_CALLS", "400"))
    before = many(count)
    assert many(count) - before < 2048, "kilobytes of growth"


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps what was freed")
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_a_large_field_is_made_with_one_copy_of_its_arrays(form: str) -> None:
    if not pathlib.Path("/proc/self/clear_refs").exists():
        pytest.skip("the kernel does not tell the greatest memory of a process")
    side = 600
    bench = pathlib.Path(__file__).parents[2] / "bench" / "python_calls.py"
    said = subprocess.run(
        [sys.executable, str(bench), str(side), form], env=os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536"},
        capture_output=True, text=True, check=True,
    )
    given, peak = map(float, said.stdout.split())
    own = 28 * side**2 / 2**20  # the box of every item, starts of eight bytes, and what checking them needs
    assert 0.8 * given < peak < 1.15 * given + own


def test_ctrl_c_in_the_middle_of_ones_own_code_is_that_codes() -> None:
    calls = 0

    def root_of_size(S: np.ndarray) -> float:
        nonlocal calls
        calls += 1
        if calls == 1000:
            signal.raise_signal(signal.SIGINT)
        return float(np.sqrt(S.sum()))

    f = sf.SetFunction(26, root_of_size)
    with pytest.raises(KeyboardInterrupt):
        sf.log_z(f, seconds=60)
    assert calls == 1000


def test_a_python_without_the_optional_packages_still_infers() -> None:
    code = (
        "import sys\n"
        "for name in ('pandas', 'matplotlib', 'torch'):\n"
        "    sys.modules[name] = None\n"
        "import surefield as sf\n"
        "result = sf.infer(sf.Flid([1.0, 2.0], [[0.3], [0.9]]))\n"
        "try:\n"
        "    result.to_frame()\n"
        "except ImportError as error:\n"
        "    print(error, result.certified)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "to_frame() needs pandas, which is not installed True\n"
