"""Time in multiples of a fixed loop, measured in turns with it: what is left of a machine that others load too.

The clock is that of the processor, of this process and the ones it waited for: it stands still while another process
has the core. What others do to caches, memory and clock rate slows the loops as well, and both sides take the least of
their rounds. Waiting is not measured: neither a lock nor a disk, nor whether two workers are faster than one.

With nine other processes on two cores, five runs of forty benchmarks were within 4 % of their least on average by the
loop in the first-level cache or by the one in the interpreter, 25 % by one that wrote to new memory: it is not here.
"""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import pytest

from bench.roofline import compute

WINDOW = 0.4  # seconds of rounds
LEAST_ROUND = 4e-3  # a call that takes less is repeated: the clock itself costs a third of a microsecond
LEAST_ROUNDS, MOST_ROUNDS = 5, 100
LOOPS_A_ROUND = 3  # of what takes long there are few rounds, and a loop that is disturbed in all would hide a slow call


def interpreter() -> None:
    """Make small objects in the interpreter."""
    found = {}
    for i in range(3_000):
        found[i & 255] = (i, str(i & 7))


LOOPS: dict[str, Callable[[], object]] = {loop.__name__: loop for loop in (compute, interpreter)}


def processor_seconds() -> float:
    """Return the seconds that this process and its children, once waited for, had a core."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Window(NamedTuple):
    """The least seconds of a call, and of each loop, over rounds in turns."""

    seconds: float
    loops: Mapping[str, float]

    def times(self, loop: str) -> float:
        """Return the calibrated time: how many times that loop the call took."""
        return self.seconds / self.loops[loop]


def window(
    call: Callable[[], object],
    *,
    setup: Callable[[], object] | None = None,
    clock: Callable[[], float] = processor_seconds,
    loops: Mapping[str, Callable[[], object]] = LOOPS,
) -> Window:
    """Measure a call in turns with the loops; the first call, which may compile, load or allocate, does not count.

    ``setup`` runs before every round, outside the clock, and makes a round one call.
    """

    def seconds(function: Callable[[], object], repeats: int = 1) -> float:
        begun = clock()
        for _ in range(repeats):
            function()
        return (clock() - begun) / repeats

    def prepared() -> None:
        if setup is not None:
            setup()

    for function in (prepared, call, *loops.values()):
        function()
    prepared()
    once = seconds(call)
    repeats = 1 if setup is not None else max(1, int(LEAST_ROUND / max(once, 1e-9)))
    rounds = min(MOST_ROUNDS, max(LEAST_ROUNDS, int(WINDOW / max(once * repeats, 1e-9))))
    least, least_of_loop = once, dict.fromkeys(loops, float("inf"))
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            prepared()
            least = min(least, seconds(call, repeats))
            for kind in [*loops] * LOOPS_A_ROUND:
                least_of_loop[kind] = min(least_of_loop[kind], seconds(loops[kind]))
    finally:
        if collecting:
            gc.enable()
    return Window(least, least_of_loop)


class Calibrated:
    """The fixture ``benchmark`` of pytest-benchmark, measured as above; a test is over once it is measured."""

    stats = None

    def __init__(self, keep: Callable[[Window], object]) -> None:
        self.keep = keep
        self.extra_info: dict[str, object] = {}

    def __call__(self, function: Callable[..., object], *args: Any, **kwargs: Any) -> None:
        """Measure ``function``."""
        self.pedantic(function, args, kwargs)

    def pedantic(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
        setup: Callable[[], object] | None = None,
        **rounds: int,
    ) -> None:
        """Measure ``function``; how many rounds is decided here."""
        self.keep(window(partial(function, *args, **(kwargs or {})), setup=setup))
        pytest.skip("measured")  # what follows finds out what the work amounted to, which takes longer


class Measuring:
    """A plugin of pytest that measures the chosen benchmarks, in place of pytest-benchmark."""

    def __init__(self, chosen: Callable[[str], bool], progress: Callable[[str], object]) -> None:
        self.windows: dict[str, Window] = {}
        self._chosen, self._progress = chosen, progress

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "benchmark: how many rounds pytest-benchmark runs")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._chosen(short_name(item.nodeid))]

    @pytest.fixture
    def benchmark(self, request: pytest.FixtureRequest) -> Calibrated:
        name = short_name(request.node.nodeid)
        self._progress(name)
        return Calibrated(partial(self.windows.__setitem__, name))


def short_name(node: str) -> str:
    """Return ``counts/count[…]`` for ``bench/test_counts.py::test_count[…]``."""
    return node.removeprefix("bench/test_").replace(".py::test_", "/", 1)
