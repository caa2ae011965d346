"""Forked child processes, in which polars never returns: its threads exist in the parent only."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from climbfast.errors import ClimbfastError

__all__ = ["refuse_in_forked_child"]

_THREADS = Path("/proc/self/task")
_NAMES_OF_THREADS = re.compile(r"polars-[0-9]|tokio-rt-worker")

_parent_had_threads = False  # what was seen before the last fork
_cannot_use_polars = False  # in a child


def refuse_in_forked_child(what: str) -> None:
    """Raise an error in a child that was forked after its parent had used polars.

    Parameters
    ----------
    what : str
        What was asked for, such as "reading a table".

    Raises
    ------
    ClimbfastError
    """
    if _cannot_use_polars:
        raise ClimbfastError(
            f"{what} needs polars, which its parent had used before this process was forked, and then it never "
            'returns: start processes with multiprocessing.get_context("spawn"), or do it before the fork and pass the '
            "Dataset, which all searches accept"
        )


def _look_before_fork() -> None:
    global _parent_had_threads
    _parent_had_threads = "polars" in sys.modules and _has_threads_of_polars()


def _remember_in_child() -> None:
    global _cannot_use_polars
    _cannot_use_polars = _cannot_use_polars or _parent_had_threads


def _has_threads_of_polars() -> bool:
    """Whether polars has started its threads, as it does when first used; True where the system does not tell."""
    try:
        return any(_NAMES_OF_THREADS.match((thread / "comm").read_text()) for thread in _THREADS.iterdir())
    except OSError:
        return True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_look_before_fork, after_in_child=_remember_in_child)
