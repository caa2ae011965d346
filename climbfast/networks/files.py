"""Network files of all formats, by their suffix."""

from __future__ import annotations

import os
from pathlib import Path

from climbfast.errors import NetworkError
from climbfast.names import name_text
from climbfast.networks.bif import read_bif
from climbfast.networks.network import Network

__all__ = ["FORMATS", "SUFFIXES", "read_network"]

# The methods of pyAgrum that load a file, by its suffix.
FORMATS = {
    ".net": "loadNET",
    ".dsl": "loadDSL",
    ".xdsl": "loadXDSL",
    ".bifxml": "loadBIFXML",
    ".xml": "loadBIFXML",
    ".xmlbif": "loadBIFXML",
    ".uai": "loadUAI",
}
SUFFIXES = (".bif", ".bif.gz", *FORMATS)


def read_network(path: str | os.PathLike[str]) -> Network:
    """Read a Bayesian network from a file.

    Parameters
    ----------
    path : str or path-like
        ``.bif`` or ``.bif.gz``, as ``read_bif`` reads it. By the package pyAgrum, which the extra ``formats`` installs:
        ``.net`` of Hugin, ``.dsl`` and ``.xdsl`` of GeNIe, ``.bifxml``, ``.xmlbif`` or ``.xml`` in XMLBIF, and
        ``.uai``, where nodes and states are numbers.

    Returns
    -------
    Network
        Names are the identifiers of nodes, not their titles; states have the labels of the file.

    Raises
    ------
    NetworkError
        If the file cannot be opened, or is not a network; the message names the file.
    MissingPackageError
        If pyAgrum is needed and not installed.

    Notes
    -----
    pyAgrum reads in a process of its own: what it prints is not shown, and a damaged file does not end this one.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "health.bif"
    ...     cf.load_example().write_bif(path)
    ...     cf.read_network(path)
    <Network: everyday_health, 15 nodes, 18 arcs>
    """
    file = Path(path)
    name = file.name.lower()
    if name.endswith((".bif", ".bif.gz")) or str(file.absolute()).startswith(("/dev/", "/proc/")):
        return read_bif(file)
    suffix = file.suffix.lower()
    if suffix in FORMATS:
        from climbfast.networks.foreign import read_foreign

        return read_foreign(file, suffix)
    raise NetworkError(f"{name_text(file)}: unknown suffix; known are {', '.join(SUFFIXES)}")
