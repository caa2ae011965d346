"""Data to test on."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from tests.factories import numbered, quiet


@pytest.fixture
def data() -> cf.Dataset:
    """x → y, and z with nothing to do with them."""
    rng = np.random.default_rng(1)
    x, z = rng.integers(0, 3, 500), rng.integers(0, 2, 500)
    y = np.where(rng.random(500) < 0.5, x, rng.integers(0, 3, 500))
    return numbered(quiet({"x": x, "y": y, "z": z}))
