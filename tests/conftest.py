"""Settings for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Tests compare what is on standard error, and on a busy machine any search may last.
os.environ.setdefault("CLIMBFAST_PROGRESS", "0")

# Figures are drawn in memory, also where there is a display.
os.environ.setdefault("MPLBACKEND", "Agg")

# Workers share the processors. In each of them, and in each process that tests start, linear algebra would start a
# thread for every processor, which takes a twentieth of the suite's processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Workers, and the processes that tests start, would each compile all modules anew where this is set.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Tests interrupt the processes that they start. These would inherit that Ctrl-C is ignored, as it is where a shell
# script starts the suite in the background, and never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Files that take long, most of them for processes that they start. Begun last, one of them would run alone.
LONG = (
    "test_task_pool.py",
    "batch/test_stopped.py",
    "resampling/test_stopped.py",
    "test_dask_tasks.py",
    "test_examples.py",
    "test_docs.py",
    "local/test_methods.py",
    "test_interrupts.py",
    "test_forks.py",
    "notebook/test_in_jupyter.py",
    "kernels/test_machine_code.py",
    "kernels/test_jit.py",
)
TESTS = Path(__file__).parent


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Keep the garbage collector from looking through all tests: while they are collected, and ever after."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of long files first, and leave the others in the order of their names."""
    places = {TESTS / name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


@pytest.fixture(autouse=True)
def _no_figures_left() -> Iterator[None]:
    """Close the figures of a test behind it: matplotlib warns of more than 20."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


# No test fails because a machine is busy: an example may take any time, and so may drawing one.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
patient = settings.get_profile("patient")
# The same examples in every run, so that a failure is a change's doing; HYPOTHESIS_PROFILE=explore draws new ones, and
# more of them.
settings.register_profile("steady", patient, derandomize=True, max_examples=40)
settings.register_profile("explore", patient, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
