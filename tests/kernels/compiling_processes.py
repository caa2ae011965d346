"""Programs that use kernels in a new process with its own cache, and say which of them they compile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SAYS_WHAT_IT_COMPILES = """
from numba.core import event
class Listener(event.Listener):
    def on_start(self, event):
        print("compiles", event.data["dispatcher"].py_func.__name__)
    def on_end(self, event): pass
event.register("numba:compile", Listener())
"""


def run(program: str, cache: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new process with its own cache."""
    return subprocess.run(
        [sys.executable, *options, "-c", program],
        env={**os.environ, "CLIMBFAST_CACHE_DIR": str(cache), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def printed(program: str, cache: Path, **environment: str) -> list[str]:
    """Return the lines that a program prints, with those about what it compiles."""
    found = run(SAYS_WHAT_IT_COMPILES + program, cache, **environment)
    assert found.stderr == ""
    assert found.returncode == 0
    return found.stdout.splitlines()
