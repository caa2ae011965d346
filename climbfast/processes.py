"""Work that processes of their own do once: each has one piece of it, and none stays behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from climbfast.interrupts import undisturbed

__all__ = ["cores", "each_in_a_process"]

Piece = TypeVar("Piece")


def cores() -> int:
    """Return how many cores there are for this process."""
    from joblib import cpu_count

    return int(cpu_count())


def each_in_a_process(work: Callable[[Piece], None], pieces: Sequence[Piece]) -> None:
    """Do the work on all pieces at once; Ctrl-C is for the caller, and the processes end with the work."""
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    try:
        Parallel(n_jobs=len(pieces), backend="loky")(delayed(undisturbed)(work, os.getpid(), piece) for piece in pieces)
    finally:
        get_reusable_executor().shutdown(kill_workers=True)
