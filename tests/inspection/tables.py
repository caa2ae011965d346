"""Small tables in memory as the modules of an inspection see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from climbfast.dataset.options import Options, check_options
from climbfast.dataset.raw_columns import raw_frame
from climbfast.inspection.inspected_table import InspectedTable

DEFAULTS: dict[str, Any] = {
    "missing": "refuse", "missing_markers": None, "declared_levels": None, "numbers": "refuse", "weights": None,
    "keep_ids": False, "columns": None, "leave_out": None,
}  # fmt: skip


def options_of(**changed: Any) -> Options:
    return check_options(**{**DEFAULTS, **changed})


def table_of(frame: Any, **changed: Any) -> InspectedTable:
    raw = raw_frame(frame, options_of(**changed))
    return InspectedTable(raw.columns, raw.rows)


def draw(levels: int, rows: int, seed: int) -> np.ndarray:
    """A column in which every level occurs."""
    rng = np.random.default_rng(seed)
    return rng.permutation(np.resize(np.arange(levels), rows))
