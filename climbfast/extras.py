"""Packages that only some tasks need: each belongs to an extra of climbfast, and is asked for by name."""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from typing import Any

from climbfast.errors import MissingPackageError

__all__ = ["import_pyagrum", "require"]


def require(module: str, extra: str, what: str) -> None:
    """Check that a package is installed, before the work that needs it.

    Parameters
    ----------
    module : str
        The name under which Python imports it.
    extra : str
        The extra of climbfast that installs it.
    what : str
        What needs it, as the message begins: "a picture".

    Raises
    ------
    MissingPackageError
    """
    if importlib.util.find_spec(module) is None:
        raise MissingPackageError(f'{what} needs the package {module}; pip install "climbfast[{extra}]"')


def import_pyagrum(extra: str, what: str) -> Any:
    """Return the package pyAgrum, without the warnings of its import: it ends the process where they are errors.

    Parameters
    ----------
    extra : str
        The extra of climbfast that installs it.
    what : str
        What needs it, as the message begins: "a graph of pyAgrum".

    Raises
    ------
    MissingPackageError
    """
    require("pyagrum", extra, what)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("pyagrum")
