"""Work for tests of pools. It imports little, since each new worker process imports it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

KEPT = []


def end_process_once(marker: Path) -> None:
    """Kill this process as the kernel does when memory is short, unless it has happened before."""
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def squares(folder, units, array):
    """Square units; the unit 17 kills its process once, the unit 23 always if the folder says so."""
    if 17 in units and folder.exists():
        end_process_once(folder / "once")
    if 23 in units and (folder / "always").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return [int(array[unit]) ** 2 for unit in units]


def keep(folder, units, array):
    KEPT.append(array)
    return len(units)


class SeenArray(NamedTuple):
    """An array as a worker has it; the file is that of its memory map."""

    file: str | None
    is_writeable: bool
    bytes: int


def look_at(job, units, *arrays):
    """Say what the arrays are."""
    return [
        SeenArray(str(array.filename) if isinstance(array, np.memmap) else None, array.flags.writeable, array.nbytes)
        for array in arrays
    ]


def lose_two_workers(folder, units):
    time.sleep(0.02)
    if units[0] in (0, 35):
        end_process_once(folder / str(units[0]))
    return units[0]


def ending_once(work, marker, *arguments):
    end_process_once(marker)
    return work(*arguments)


def ending_at(unit, work, job, units, *arrays):
    """Do the work, but kill this process at a unit."""
    if unit in units:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)
    return work(job, units, *arrays)


def sleep(job, units):
    time.sleep(units[0])
    return os.getpid()
