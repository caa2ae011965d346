"""Python processes that see the modules that this one sees."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["end_with_starter", "let_go", "start_python"]


def start_python(
    program: str, *arguments: str, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a program in another process.

    Parameters
    ----------
    program : str
        Python code.
    *arguments : str
        What it finds in ``sys.argv[1:]``.
    environment : mapping of str to str, optional
        What its environment has besides that of this process, or instead.
    **options
        Those of ``subprocess.Popen``.

    Raises
    ------
    OSError
        If the process cannot be started, also where Python is part of another program.
    """
    if not sys.executable:
        raise FileNotFoundError("the program of Python is unknown")
    folders = os.pathsep.join(str(Path(folder).absolute()) for folder in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": folders, **(environment or {})},
        **options,
    )


def end_with_starter() -> None:
    """End this process with the one that has started it, whatever ends that, unless it lets go of this one before.

    Standard input has to be a pipe from there: it closes when its other end is closed.
    """
    threading.Thread(target=_watch_standard_input, name="climbfast-starter", daemon=True).start()


def _watch_standard_input() -> None:
    if not os.read(0, 1):
        signal.raise_signal(signal.SIGTERM)


def let_go(process: subprocess.Popen[bytes]) -> None:
    """Let a process that would end with this one outlast it; a thread waits for its end, so that no zombie stays."""
    if process.stdin is not None:
        with suppress(OSError), process.stdin as pipe:  # it has ended already
            pipe.write(b"\n")
    threading.Thread(target=process.wait, name="climbfast-outlasting", daemon=True).start()
