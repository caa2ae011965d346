"""Knowledge as files: TOML and JSON with the fields of ``Knowledge``, and the text format of Tetrad."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from climbfast.atomic_write import atomic_write
from climbfast.errors import KnowledgeError
from climbfast.knowledge.knowledge import FIELDS, Knowledge
from climbfast.knowledge.tetrad import from_tetrad, tetrad_text
from climbfast.names import excerpt, name_text

__all__ = ["read_knowledge", "write_knowledge"]


def read_knowledge(path: str | os.PathLike[str]) -> Knowledge:
    """Read knowledge from a file.

    Parameters
    ----------
    path : str or path-like
        ``.toml`` or ``.json`` with any of the fields of ``Knowledge``: ``tiers``, ``required``, ``forbidden``,
        ``roots``, ``leaves`` and ``closed``. Any other suffix: a knowledge file of Tetrad.

    Returns
    -------
    Knowledge

    Raises
    ------
    KnowledgeError
        If the file cannot be read; the message names the file, and the line or the field.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "known.toml")
    ...     _ = file.write_text('tiers = [["age", "sex"], ["disease"]]\\nforbidden = [["sex", "disease"]]\\n')
    ...     known = cf.read_knowledge(file)
    >>> print(known)
    tiers: age, sex | disease
    forbidden: sex -> disease
    """
    file = Path(path)
    reader = {".toml": _from_toml, ".json": _from_json}.get(file.suffix.lower(), from_tetrad)
    try:
        return reader(_text(file))
    except KnowledgeError as error:  # its parts are options of Python and the command line, and here they are fields
        raise KnowledgeError(f"{name_text(file)}: {error}") from None
    except RecursionError:
        raise KnowledgeError(f"{name_text(file)}: it is nested too deeply") from None
    except (OSError, ValueError) as error:  # a ValueError for a path with a null character
        raise KnowledgeError(f"{name_text(file)}: {getattr(error, 'strerror', None) or error}") from None


def _text(file: Path) -> str:
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise KnowledgeError(f"line {line}: byte 0x{content[error.start]:02x} is not UTF-8 text") from None


def write_knowledge(known: Knowledge, path: str | os.PathLike[str]) -> None:
    """Write knowledge to a file that ``read_knowledge`` reads, see ``Knowledge.save``."""
    file = Path(path)
    writer: Callable[[Knowledge], str] = {".toml": _toml, ".json": _json}.get(file.suffix.lower(), tetrad_text)
    try:
        content = writer(known).encode()
        with atomic_write(file) as out:
            out.write(content)
    except KnowledgeError as error:
        raise KnowledgeError(f"{name_text(file)} cannot be written: {error}") from None
    except UnicodeEncodeError as error:
        raise KnowledgeError(
            f"{name_text(file)} cannot be written: {error.object[error.start]!r} cannot be encoded in UTF-8"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise KnowledgeError(f"{name_text(file)} cannot be written: {reason}") from None


# ---- TOML and JSON


def _from_toml(text: str) -> Knowledge:
    try:
        return _from_fields(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise KnowledgeError(f"it is not TOML: {error}") from None


def _from_json(text: str) -> Knowledge:
    try:
        return _from_fields(json.loads(text, object_pairs_hook=_each_once))
    except json.JSONDecodeError as error:
        raise KnowledgeError(f"line {error.lineno}: {error.msg}") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise KnowledgeError(f"{next(name for name in names if names.count(name) > 1)!r} occurs twice")
    return found


def _from_fields(found: Any) -> Knowledge:
    if not isinstance(found, dict):
        raise KnowledgeError(f"knowledge is an object with any of the fields {', '.join(FIELDS)}")
    for name in found:
        if name not in FIELDS:
            raise KnowledgeError(f"there is no field {name!r}; the fields are {', '.join(FIELDS)}")
    known = Knowledge(**found)
    _check_names(known)
    return known


def _check_names(known: Knowledge) -> None:
    for name in known.entries():
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise KnowledgeError(f"the name {excerpt(name)} is neither text nor a whole number")


def _json(known: Knowledge) -> str:
    _check_names(known)
    fields = (f'"{name}": {_lines(value)}' for name, value in known.to_dict().items())
    return "{" + ",".join(f"\n{field}" for field in fields) + "\n}\n"


def _toml(known: Knowledge) -> str:
    _check_names(known)
    # A list of texts and numbers is the same in JSON and TOML, but for the character DEL.
    fields = (f"{name} = {_lines(value)}\n" for name, value in known.to_dict().items())
    return "".join(fields).replace("\x7f", "\\u007f")


def _lines(value: list[Any]) -> str:
    """Return a list in JSON; one of lists has a line for each."""
    texts = [json.dumps(entry, ensure_ascii=False) for entry in value]
    if not any(isinstance(entry, list) for entry in value):
        return f"[{', '.join(texts)}]"
    return "[" + ",".join(f"\n  {text}" for text in texts) + "\n]"
