"""pyAgrum is imported before warnings are errors: it ends the process if its own are."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyagrum  # noqa: F401
