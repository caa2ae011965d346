"""The strategies of counting, and the workspace (scratch memory) of the counting kernels."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from climbfast.dataset import Dataset
from climbfast.interrupts import STOP
from climbfast.options import choice

if TYPE_CHECKING:
    from climbfast_kernels.workspace import Workspace

__all__ = ["COUNTING", "WorkspaceCache", "check_counting"]

COUNTING = ("auto", "bitmaps", "dense", "sparse")
FEWEST_GIVEN = 8  # smallest number of given columns for which a workspace is made


def check_counting(counting: object) -> int:
    """Return the number of a strategy of counting in the kernels.

    Raises
    ------
    OptionError
        For an unknown strategy.
    """
    return COUNTING.index(choice("counting", counting, COUNTING))


class WorkspaceCache:
    """The workspace of one thread for one data set; it is kept between calls and replaced by a larger one if needed.

    Parameters
    ----------
    data : Dataset
    stops : bool
        Whether an interrupt of the main thread stops the kernels in another thread, too.
    """

    def __init__(self, data: Dataset, *, stops: bool = False) -> None:
        self._data, self._stops = data, stops
        self._workspace: Workspace | None = None

    def for_given(self, most_given: int) -> Workspace:
        """Return a workspace for tables with up to ``most_given`` given columns."""
        from climbfast_kernels.workspace import workspace

        # Only the main thread is interrupted; what another one is doing goes on, unless it works for the main one.
        stops = self._stops or threading.get_ident() == threading.main_thread().ident
        if self._workspace is None or self._workspace.columns.shape[1] < most_given + 2:
            self._workspace = workspace(self._data.bits, max(most_given, FEWEST_GIVEN), STOP, self._data.weights)
            self._of_other_threads = self._workspace._replace(stop=np.zeros(1, np.int64))
        return self._workspace if stops else self._of_other_threads
