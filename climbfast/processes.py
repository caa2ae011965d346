"""Work that is done once in separate processes, one per piece, which end with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from climbfast.interrupts import call_ignoring_interrupts

__all__ = ["cores", "run_in_processes"]

Piece = TypeVar("Piece")


def cores() -> int:
    """Return the number of cores that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


def run_in_processes(work: Callable[[Piece], None], pieces: Sequence[Piece]) -> None:
    """Call ``work`` for all pieces at once, each in its own process; only the caller handles Ctrl-C."""
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    try:
        pool = Parallel(n_jobs=len(pieces), backend="loky")
        pool(delayed(call_ignoring_interrupts)(work, os.getpid(), piece) for piece in pieces)
    finally:
        get_reusable_executor().shutdown(kill_workers=True)
