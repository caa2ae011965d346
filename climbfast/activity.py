"""A line on standard error that shows that a search lasts: after two seconds, and then at growing intervals.

On the command line it is always shown, from Python if standard error is a terminal; in a notebook it changes in place,
and disappears at the end. ``CLIMBFAST_PROGRESS=0`` in the environment turns it off. Runs over many targets have a
progress of their own (``climbfast.batch.progress``).
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from climbfast.notebook_output import NotebookOutput, ProgressLine, in_notebook

__all__ = ["count_work", "is_shown", "show_activity"]

SECONDS_TO_FIRST_LINE = 2.0
LONGEST_INTERVAL = 60.0
SECONDS_BETWEEN_LOOKS = 0.5
always_shown = never_shown = False  # set by the command line
# What is done, by the name of the function that does it.
DONE_BY = {
    "best_blanket": "searching a blanket",
    "causal_graph": "searching a graph",
    "fges": "searching a graph by fges",
    "find_blanket": "searching a blanket",
    "markov_blanket": "searching a blanket",
    "markov_blankets": "searching blankets",
    "neighbors": "searching neighbors",
    "orient": "directing edges",
    "pc": "searching a graph by pc",
    "_read": "reading",
    "test": "testing",
}


class _Activity:
    """The search that is running, and what it has done so far."""

    def __init__(self) -> None:
        self.name, self.begun, self.next_line = "", 0.0, 0.0
        self.work: dict[str, int] = {}
        self.wake = threading.Event()
        self.process = -1
        self.output: NotebookOutput | None = None

    def begin(self, name: str) -> None:
        """Begin to watch a search."""
        self.name, self.begun, self.next_line = name, time.monotonic(), SECONDS_TO_FIRST_LINE
        self.work = {}
        self.output = NotebookOutput() if in_notebook() else None
        if self.process != os.getpid():  # threads do not survive a fork
            self.process, self.wake = os.getpid(), threading.Event()
            threading.Thread(target=self._watch, name="climbfast-activity", daemon=True).start()
        if not self.wake.is_set():
            self.wake.set()

    def end(self) -> None:
        """Watch no longer."""
        self.name = ""
        if self.output is not None:
            self.output.remove()

    def _watch(self) -> None:
        while True:
            self.wake.wait()
            self.wake.clear()
            while self.name:
                self._show()
                time.sleep(SECONDS_BETWEEN_LOOKS)

    def _show(self) -> None:
        name, seconds, output = self.name, time.monotonic() - self.begun, self.output
        if not name or seconds < self.next_line:
            return
        done = "".join(f", {number:,} {what}" for what, number in list(self.work.items()))
        if output is not None:
            output.show([ProgressLine(name, figures=f"{seconds:.0f} s{done}")])
            return
        self.next_line = seconds + min(seconds, LONGEST_INTERVAL)
        with suppress(OSError, ValueError):  # a closed stream
            print(f"climbfast: {name}: {seconds:.0f} s{done}", file=sys.stderr, flush=True)


_activity = _Activity()


@contextmanager
def show_activity(name: str) -> Iterator[None]:
    """Show that a search lasts; of nested ones the outer one is shown.

    Parameters
    ----------
    name : str
        That of the function that searches; what it does is shown.
    """
    if _activity.name or not is_shown() or threading.current_thread() is not threading.main_thread():
        yield
        return
    _activity.begin(DONE_BY.get(name, name))
    try:
        yield
    finally:
        _activity.end()


def count_work(what: str, number: int) -> None:
    """Count tests or families for the line."""
    if _activity.name:
        _activity.work[what] = _activity.work.get(what, 0) + number


def is_shown() -> bool:
    """Whether the line of a search is shown."""
    if never_shown or os.environ.get("CLIMBFAST_PROGRESS") == "0":
        return False
    return always_shown or (sys.stderr is not None and sys.stderr.isatty()) or in_notebook()
