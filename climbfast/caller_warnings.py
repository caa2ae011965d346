"""Warnings whose place is the line of the caller: the first line outside of climbfast."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from types import FrameType

from climbfast.errors import ClimbfastWarning

__all__ = ["warn_caller"]

_PACKAGE = str(Path(__file__).parent)


def warn_caller(warning: ClimbfastWarning) -> None:
    """Warn at the line that called climbfast, however many functions of climbfast are between."""
    frame = _frame_of_caller()
    warnings.warn_explicit(
        warning,
        ClimbfastWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=frame.f_globals.get("__name__"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


def _frame_of_caller() -> FrameType:
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame
