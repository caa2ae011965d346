"""Network files of other programs, each read by pyAgrum in a process of its own.

A damaged file can end the process that reads it, and pyAgrum writes what it thinks of a file to standard output. The
process gives back the network, or the error, as a pickle.
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from climbfast.errors import NetworkError
from climbfast.extras import import_pyagrum, require
from climbfast.names import escaped, name_text
from climbfast.networks.files import FORMATS
from climbfast.networks.network import Network
from climbfast.processes import start_python

__all__ = ["answer", "read_foreign"]

_IN_ASCII = (".net", ".dsl")
_READ_AND_ANSWER = "import sys; from climbfast.networks.foreign import answer; answer(*sys.argv[1:])"
_ERROR_AT_LINE = re.compile(r":(\d+): \d+ : error : (?:Syntax error : )?(.*)")
_UNNAMED = ("", "anonymousBN", "unknown")


def read_foreign(file: Path, suffix: str) -> Network:
    """Return the network in a file of Hugin, GeNIe, XMLBIF or UAI.

    Raises
    ------
    MissingPackageError
        If pyAgrum is not installed.
    NetworkError
        If the file cannot be read.
    """
    require("pyagrum", "formats", f"a network in {suffix}")
    try:
        content = file.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NetworkError(f"{name_text(file)} cannot be read: {reason}") from None
    mark = ""
    if suffix in _IN_ASCII and not content.isascii():
        content, mark = _in_ascii(content)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "network")  # a pipe, such as /dev/stdin, is another file in another process
        copy.write_bytes(content)
        found = _read_in_process(file, copy, suffix)
    if isinstance(found, str):
        raise NetworkError(f"{name_text(file)}: {_with_all_characters(found, mark)}")
    name, states, parents, tables = found
    true = {node: _with_all_characters(node, mark) for node in states}
    return Network(
        _stem(file) if name in _UNNAMED else _with_all_characters(name, mark),
        {true[node]: tuple(_with_all_characters(state, mark) for state in labels) for node, labels in states.items()},
        {true[node]: tuple(true[parent] for parent in family) for node, family in parents.items()},
        {true[node]: table for node, table in tables.items()},
    )


def _stem(file: Path) -> str:
    return os.fsencode(file.stem).decode(errors="replace")


def _in_ascii(content: bytes) -> tuple[bytes, str]:
    """Return a text with words in the place of other characters, which pyAgrum drops, and what the words end with."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:  # Hugin wrote the encoding of the system
        text = content.decode("cp1252", errors="replace")
    mark = "q"
    while mark in text:
        mark += "q"
    return "".join(char if char.isascii() else f"u{ord(char):x}{mark}" for char in text).encode(), mark


def _with_all_characters(text: str, mark: str) -> str:
    return re.sub(rf"u([0-9a-f]{{2,6}}){mark}", lambda found: chr(int(found[1], 16)), text) if mark else text


def _read_in_process(file: Path, regular: Path, suffix: str) -> Any:
    with start_python(
        _READ_AND_ANSWER,
        suffix,
        str(regular),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as reader:
        try:
            answered, _ = reader.communicate()
        except BaseException:
            reader.kill()
            raise
    if reader.returncode or not answered:
        raise NetworkError(f"{name_text(file)}: pyAgrum crashed, as it does at a damaged file")
    return pickle.loads(answered)  # written by our own process


def answer(suffix: str, path: str) -> None:
    """Read a file, and write what is in it to standard output; the work of the process that reads."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what pyAgrum prints must not come between
    with out:
        pickle.dump(_network_or_error(suffix, path), out)


def _network_or_error(suffix: str, path: str) -> Any:
    from climbfast.networks.exchange import from_pyagrum

    pyagrum = import_pyagrum("formats", "a network file")
    model = pyagrum.BayesNet()
    try:
        getattr(model, FORMATS[suffix])(path)
        network = from_pyagrum(model)
    except NetworkError as error:
        return str(error)
    except Exception as error:  # those of pyAgrum, which are no class of their own in all versions
        return f"not a readable {suffix[1:]} file: {_reason(error, path)}"
    if not network.nodes:
        return f"not a readable {suffix[1:]} file: it has no nodes"
    return network.name, dict(network.states), dict(network.parents), dict(network.tables)


def _reason(error: Exception, path: str) -> str:
    """Return the first reason that pyAgrum gives, with its line if that can be."""
    text = str(error).removeprefix("[pyAgrum] ")
    if "Couldn't load" in text:  # what its parser of XML says of everything
        return "it is not complete XML"
    lines = Path(path).read_bytes().count(b"\n") + 1
    for line in text.splitlines():
        if found := _ERROR_AT_LINE.search(line.replace(path, "")):
            # The reader of UAI also names lines that the file does not have.
            place = f"line {found[1]}: " if int(found[1]) <= lines else ""
            return escaped(f"{place}{found[2]}"[:200])
    first = " ".join(next(iter(text.splitlines()), "").split())
    # Of some faults it has no words, or those of the library of C++.
    return "it is damaged" if not first or first.endswith(":") or "basic_string" in first else escaped(first[:200])
