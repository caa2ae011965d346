"""A sample of a network as a file."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from climbfast.atomic_write import atomic_write
from climbfast.dataset import DEFAULT_MARKERS
from climbfast.errors import OptionError
from climbfast.networks.network import Network
from climbfast.networks.sampling import frame

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FORMATS", "format_of_sample", "read_as_missing", "sample_content", "save_sample"]

_TEXT = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_COLUMNAR = (".parquet", ".arrow", ".feather")
FORMATS = tuple(suffix[1:] for suffix in (*_TEXT, *_COLUMNAR))


def save_sample(network: Network, rows: int, seed: int, path: str | os.PathLike[str]) -> None:
    """Write independent rows drawn from a network, one column per node.

    Parameters
    ----------
    network : Network
        The network.
    rows : int
        Number of rows, at least 1.
    seed : int
        A non-negative number; the same seed gives the same rows on every machine.
    path : str or path-like
        A file with the suffix ``.csv``, ``.tsv``, ``.csv.gz``, ``.tsv.gz``, ``.parquet``, ``.arrow`` or ``.feather``.
        It is replaced in one step: a reader sees the complete old file or the complete new one.

    Raises
    ------
    OptionError
        For another suffix, a file that cannot be written, `rows` below 1 or `seed` below 0.
    """
    file = Path(path)
    kind = _kind(file)
    try:
        # Opened before the first row is drawn, so that a missing folder is an error at once and not after minutes.
        with atomic_write(file) as out:
            _write_sample(frame(network, rows, seed), kind, out)
    except OSError as error:
        raise OptionError(f"{file} cannot be written: {error.strerror or error}") from None


def sample_content(network: Network, rows: int, seed: int, form: str) -> bytes:
    """Return what ``save_sample`` writes to a file whose suffix is this format."""
    out = io.BytesIO()
    _write_sample(frame(network, rows, seed), f".{form}", out)
    return out.getvalue()


def read_as_missing(network: Network, form: str) -> tuple[str, ...]:
    """Return the nodes with a state that ``read`` would take for a missing cell of a sample.

    Parameters
    ----------
    network : Network
        The network.
    form : str
        The format of the sample, one of ``FORMATS``; only text files have such markers.

    Returns
    -------
    tuple of str
        In the order of the nodes.
    """
    if f".{form}" not in _TEXT:
        return ()
    return tuple(
        node for node, states in network.states.items() if any(state.strip() in DEFAULT_MARKERS for state in states)
    )


def format_of_sample(path: str | os.PathLike[str]) -> str:
    """Return the format that the suffix of a file names.

    Raises
    ------
    OptionError
        For any other suffix.
    """
    return _kind(Path(path))[1:]


def _kind(file: Path) -> str:
    name = file.name.lower()
    # The longest suffix first, so that ".csv.gz" is tried before ".csv".
    for suffix in sorted((*_TEXT, *_COLUMNAR), key=len, reverse=True):
        if name.endswith(suffix):
            return suffix
    raise OptionError(f"{file}: unknown suffix; known are {', '.join((*_TEXT, *_COLUMNAR))}")


def _write_sample(sample: pl.DataFrame, kind: str, out: IO[bytes]) -> None:
    import polars as pl

    try:
        _write(sample, kind, out)
    except pl.exceptions.PolarsError as error:  # the error of the Parquet writer for a full disk
        raise OSError(None, str(error).strip().partition("\n")[0]) from None


def _write(sample: pl.DataFrame, kind: str, out: IO[bytes]) -> None:
    if kind == ".parquet":
        sample.write_parquet(out)
    elif kind in _COLUMNAR:
        sample.write_ipc(out)
    elif kind.endswith(".gz"):
        # Without a name and a date: equal samples give equal files.
        with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0, compresslevel=6) as packed:
            sample.write_csv(cast(IO[bytes], packed), separator=_separator(kind))
    else:
        sample.write_csv(out, separator=_separator(kind))


def _separator(kind: str) -> str:
    return "\t" if kind.startswith(".tsv") else ","
