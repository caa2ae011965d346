"""What changes in place below the cell of a notebook: the progress of what runs there, which disappears at its end.

The standard error of a notebook is no terminal: what is printed there stays. Progress is an output of its own instead,
which can be replaced by its number as often as one likes. IPython is only used where it runs already.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from importlib import import_module
from typing import Any, NamedTuple

__all__ = ["NotebookOutput", "ProgressLine", "WatchedOutput", "in_notebook"]

seconds_between_looks = 0.25
_SHELLS = ("ZMQInteractiveShell", "google.colab")  # those of Jupyter and of Colab


class ProgressLine(NamedTuple):
    """A line of progress: what is done, which share of it if that is known, and figures."""

    what: str
    share: float | None = None
    figures: str = ""


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    if ipython is None or not hasattr(ipython, "get_ipython"):
        return False
    kind = str(type(ipython.get_ipython()))
    return any(shell in kind for shell in _SHELLS)


class NotebookOutput:
    """An output of the cell that runs now, which any thread may replace; it is there from the first ``show`` on."""

    def __init__(self) -> None:
        self._context = copy_context()  # by which IPython knows the cell, also in another thread
        self._lock = threading.Lock()
        self._handle: Any = None
        self._shown: tuple[ProgressLine, ...] = ()
        self._is_removed = False

    def show(self, lines: Sequence[ProgressLine]) -> None:
        """Show these lines in the place of others; nothing once the output was removed."""
        with self._lock:
            if not self._is_removed and tuple(lines) != self._shown:
                self._shown = tuple(lines)
                self._context.copy().run(self._publish)

    def remove(self) -> None:
        """Leave an empty output, which takes no room."""
        with self._lock:
            self._is_removed, self._shown = True, ()
            if self._handle is not None:
                self._context.copy().run(self._publish)

    def _publish(self) -> None:
        content = {"text/html": _html(self._shown), "text/plain": "\n".join(map(_text, self._shown))}
        if self._handle is None:
            self._handle = import_module("IPython.display").display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)


class WatchedOutput:
    """An output that a thread keeps up to date, once the work has lasted for a while.

    Parameters
    ----------
    lines : function that returns the lines that are shown now
    silence : float
        Seconds until they are shown: short work leaves no output.
    """

    def __init__(self, lines: Callable[[], Sequence[ProgressLine]], silence: float) -> None:
        self._lines, self._silence = lines, silence
        self._output = NotebookOutput()
        self._is_over = threading.Event()
        threading.Thread(target=self._watch, name="climbfast-notebook", daemon=True).start()

    def end(self) -> None:
        """Remove the output."""
        self._is_over.set()
        self._output.remove()

    def _watch(self) -> None:
        seconds = self._silence
        while not self._is_over.wait(seconds):
            self._output.show(self._lines())
            seconds = seconds_between_looks


def _text(line: ProgressLine) -> str:
    share = "" if line.share is None else f" {100 * line.share:.0f} %"
    return f"{line.what}{share}{f', {line.figures}' if line.figures else ''}"


def _html(lines: Sequence[ProgressLine]) -> str:
    if not lines:
        return ""
    cells = "".join(map(_row, lines))
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_GRID}">{cells}</div>'


_GRID = (
    "display: inline-grid; grid-template-columns: auto auto auto; column-gap: 1em; align-items: center; color: inherit"
)
_TROUGH = "display: inline-block; width: 16em; height: 0.6em; border: 1px solid currentColor; border-radius: 0.3em"
_FILLED = "display: block; height: 100%; background: currentColor; border-radius: inherit; opacity: 0.6"


def _row(line: ProgressLine) -> str:
    from html import escape  # not imported with climbfast: it has a table of two thousand characters

    bar = ""
    if line.share is not None:
        width = f"{100 * min(max(line.share, 0.0), 1.0):.1f}%"
        bar = f'<span style="{_TROUGH}"><span style="{_FILLED}; width: {width}"></span></span>'
    return f"<span>{escape(line.what)}</span><span>{bar}</span><span>{escape(line.figures)}</span>"
