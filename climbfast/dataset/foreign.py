"""Files of other statistics programs, each read in a process of its own by a package of the extra ``formats``.

The libraries behind these packages can crash at a damaged file, and are deaf to Ctrl-C. The process that reads gives
back what it has read as a line of JSON, with the error or the labels, and the frame in Arrow's format.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from climbfast.dataset.sources import Source
from climbfast.dataset.table import Table
from climbfast.dataset.waiting import raise_if_abandoned
from climbfast.errors import DataError, Option
from climbfast.processes import start_python

__all__ = ["answer", "read_foreign", "read_here"]

_PACKAGES = {"sav": "pyreadstat", "dta": "pyreadstat", "sas7bdat": "pyreadstat", "rds": "rdata"}
_READ_AND_ANSWER = "import sys; from climbfast.dataset.foreign import answer; answer(*sys.argv[1:])"
_STANDARD_INPUT = "-"
_SECONDS_BETWEEN_LOOKS = 0.1


def read_foreign(source: Source, form: str, encoding: str | None) -> Table:
    """Read a file of SPSS, Stata, SAS or R.

    Raises
    ------
    DataError
        If the file cannot be read, or the package that reads it is not installed.
    """
    package = _PACKAGES[form]
    if importlib.util.find_spec(package) is None:
        raise DataError(f'such a file is read by the package {package}; pip install "climbfast[formats]"')
    # A path such as /dev/stdin is another file in another process.
    is_given = source.content is not None or str(source.path.absolute()).startswith(("/dev/", "/proc/"))
    path = _STANDARD_INPUT if is_given else str(source.path.absolute())
    code, answered = _run([form, path, encoding or ""], bytes(source.buffer()) if is_given else b"")
    head, _, content = answered.partition(b"\n")
    if code or not head:
        crash = f"{package} crashed (exit code {code}), as it does at a damaged file"
        raise DataError(f"not a readable {form} file: {crash}")
    return _table(json.loads(head), content)


def _give(stream: IO[bytes], content: bytes) -> None:
    with suppress(OSError), stream:  # the process may end before it has read everything
        stream.write(content)


def _run(arguments: list[str], given: bytes) -> tuple[int, bytes]:
    """Run the process that reads; return its exit code and what it answers."""
    with start_python(
        _READ_AND_ANSWER,
        *arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as reader:
        # By a thread: communicate() forgets the rest of its input when its time is over.
        threading.Thread(target=_give, args=(reader.stdin, given), daemon=True).start()
        reader.stdin = None
        try:
            while True:
                try:
                    answered, _ = reader.communicate(timeout=_SECONDS_BETWEEN_LOOKS)
                    return reader.returncode, answered
                except subprocess.TimeoutExpired:
                    raise_if_abandoned()  # after Ctrl-C
        except BaseException:
            reader.kill()
            raise


def _table(about: dict[str, Any], content: bytes) -> Table:
    import polars as pl

    if about["error"]:
        raise DataError(*(Option(*part) if isinstance(part, list) else part for part in about["error"]))
    labels = {name: dict(pairs) for name, pairs in about["labels"]}
    return Table(pl.read_ipc_stream(io.BytesIO(content)), labels, refused=dict(about["refused"]))


def answer(form: str, path: str, encoding: str) -> None:
    """Read a file, and write what is in it to standard output; the work of the process that reads."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between
    with out:
        try:
            content = sys.stdin.buffer.read() if path == _STANDARD_INPUT else None
            _write(read_here(Source(Path(path), content), form, encoding or None), out)
        except ImportError as error:  # of a broken installation
            out.write(json.dumps({"error": [f"it cannot be read: {error}"]}).encode() + b"\n")
        except DataError as error:
            parts = [list(part) if isinstance(part, Option) else str(part) for part in error.parts]
            out.write(json.dumps({"error": parts}).encode() + b"\n")


def read_here(source: Source, form: str, encoding: str | None) -> Table:
    """Read a file in this process."""
    if form == "rds":
        from climbfast.dataset.r_files import read_r_file

        return read_r_file(source)
    from climbfast.dataset.statistical_files import read_statistical_file

    return read_statistical_file(source, form, encoding)


def _write(table: Table, out: IO[bytes]) -> None:
    labels = [(name, list(pairs.items())) for name, pairs in table.labels.items()]
    about = {"error": None, "labels": labels, "refused": list(table.refused.items())}
    out.write(json.dumps(about).encode() + b"\n")
    table.frame.write_ipc_stream(out)
