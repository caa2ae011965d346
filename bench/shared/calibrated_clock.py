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
from typing import NamedTuple

from bench.shared.roofline import compute

WINDOW = 0.4  # seconds of rounds
LEAST_ROUND = 4e-3  # a call that takes less is repeated: the clock itself costs a third of a microsecond
LEAST_ROUNDS, MOST_ROUNDS = 5, 100
LONG = 5.0  # seconds of rounds after which there is no further one, be they fewer than the least
LOOPS_A_ROUND = 3
# Of what takes long there are few rounds, and a loop that is disturbed in all would hide a slow call. With seven other
# processes on two cores the least of 2 rounds of 100 was 5 % over that of all, and that of 5 rounds of 3 was 30 %.
LOOPS_A_LONG_ROUND = 100


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


def single(
    call: Callable[[], object],
    *,
    clock: Callable[[], float] = processor_seconds,
    loops: Mapping[str, Callable[[], object]] = LOOPS,
) -> Window:
    """Measure one call that takes long, and the loops before and after it; nothing may be left to compile."""

    def seconds(function: Callable[[], object]) -> float:
        begun = clock()
        function()
        return clock() - begun

    rounds = {kind: [seconds(loop) for _ in range(LEAST_ROUNDS)] for kind, loop in loops.items()}
    of_call = seconds(call)
    return Window(
        of_call,
        {kind: min(*rounds[kind], *(seconds(loop) for _ in range(LEAST_ROUNDS))) for kind, loop in loops.items()},
    )


def window(
    call: Callable[[], object],
    *,
    setup: Callable[[], object] | None = None,
    clock: Callable[[], float] = processor_seconds,
    loops: Mapping[str, Callable[[], object]] = LOOPS,
) -> Window:
    """Measure a call in turns with the loops; the first call, which may compile, load or allocate, does not count.

    A call that takes more than a second has as many rounds as fit into five seconds, after two calls of which both
    count, and more loops beside each. ``setup`` runs before every call, outside the clock, and makes a round one call.
    """

    def seconds(function: Callable[[], object], repeats: int = 1) -> float:
        begun = clock()
        for _ in range(repeats):
            function()
        return (clock() - begun) / repeats

    def prepare() -> None:
        if setup is not None:
            setup()

    def measure_loops(times: int) -> None:
        for kind in [*loops] * times:
            least_of_loop[kind] = min(least_of_loop[kind], seconds(loops[kind]))

    least_of_loop = dict.fromkeys(loops, float("inf"))
    prepare()
    first = seconds(call)
    for loop in loops.values():
        loop()
    if LEAST_ROUNDS * first > LONG:
        measure_loops(LOOPS_A_LONG_ROUND)
    collecting = gc.isenabled()
    gc.disable()
    try:
        prepare()
        least = once = seconds(call)
        repeats = 1 if setup is not None else max(1, int(LEAST_ROUND / max(once, 1e-9)))
        rounds = min(MOST_ROUNDS, max(LEAST_ROUNDS, int(WINDOW / max(once * repeats, 1e-9))))
        loops_a_round = LOOPS_A_ROUND
        if LEAST_ROUNDS * once > LONG:
            least, rounds, loops_a_round = min(first, once), int(LONG / once), LOOPS_A_LONG_ROUND
            measure_loops(loops_a_round)
        for _ in range(rounds):
            prepare()
            least = min(least, seconds(call, repeats))
            measure_loops(loops_a_round)
    finally:
        if collecting:
            gc.enable()
    return Window(least, least_of_loop)
