"""Processes that compile kernels: one group at a time for each cache, which may outlast the command that began it.

The group holds a lock on a file in the cache, so that other commands wait for its kernels instead of compiling the same
ones. The lock goes with the last process of the group, however that ends. Where the system has no such locks, other
commands compile for themselves.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from climbfast.processes import let_go, start_python

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # Windows has no such module

__all__ = ["Compilation", "compilation_of_others", "compile_in_background"]

_PROGRAM = """
import sys
from climbfast.processes import end_with_starter

end_with_starter()
from climbfast import warm

warm.compile_for(sys.argv[1])
"""
_LOCK = "compiling.lock"
_SECONDS_BETWEEN_LOOKS = 0.02


class Compilation:
    """Processes that compile kernels; they end with the one that has started them, unless it leaves them.

    Parameters
    ----------
    cache : Path
        The folder of the compiled kernels.
    processes : sequence of subprocess.Popen
        Those that this process has started; none if another command has started them.
    """

    def __init__(self, cache: Path, processes: Sequence[subprocess.Popen[bytes]] = ()) -> None:
        self._cache = cache
        self._processes = processes

    def is_running(self) -> bool:
        """Whether a kernel may still come."""
        if self._processes:
            return any(process.poll() is None for process in self._processes)
        return _is_locked(self._cache)

    def wait(self) -> None:
        """Wait for the last kernel; if that is interrupted, end the processes that this one has started."""
        try:
            while self.is_running():
                time.sleep(_SECONDS_BETWEEN_LOOKS)
        finally:
            self.end()

    def end(self) -> None:
        """End the processes that this one has started, if they have not ended."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            with process:  # which closes pipes, and waits
                pass

    def leave(self) -> None:
        """Let the processes go on without this one."""
        for process in self._processes:
            let_go(process)


def compile_in_background(cache: Path, needed: Sequence[str]) -> Compilation | None:
    """Start one process for each function of ``climbfast.warm`` that is named; None if none can be started.

    If others compile for this cache, theirs is returned.
    """
    processes: list[subprocess.Popen[bytes]] = []
    try:
        with _locked(cache) as inherited:
            if inherited is None:
                return Compilation(cache)
            for name in needed:
                processes.append(
                    start_python(
                        _PROGRAM,
                        name,
                        cwd=cache,  # the folder of the command may be deleted meanwhile
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        start_new_session=True,  # Ctrl-C and the end of a terminal are for the command
                        pass_fds=inherited,
                    )
                )
    except OSError:
        Compilation(cache, processes).end()
        return None
    except BaseException:
        Compilation(cache, processes).end()
        raise
    return Compilation(cache, processes)


def compilation_of_others(cache: Path) -> Compilation | None:
    """Return the compilation that another command has begun; None if there is none."""
    return Compilation(cache) if _is_locked(cache) else None


@contextmanager
def _locked(cache: Path) -> Iterator[tuple[int, ...] | None]:
    """Hold the lock, and yield what a process has to inherit to hold it on; None if others hold it."""
    if fcntl is None:
        yield ()
        return
    with Path(cache, _LOCK).open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held: tuple[int, ...] | None = (file.fileno(),)
        except BlockingIOError:
            held = None
        except OSError:  # a file system without locks
            held = ()
        yield held


def _is_locked(cache: Path) -> bool:
    if fcntl is None:
        return False
    try:
        with Path(cache, _LOCK).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # nothing was ever compiled there, or a file system without locks
        return False
    return False
