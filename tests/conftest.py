"""Settings for all tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Tests compare what is on standard error, and on a busy machine any search may last.
os.environ.setdefault("CLIMBFAST_PROGRESS", "0")

# Figures are drawn in memory, also where there is a display.
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture(autouse=True)
def _no_figures_left() -> Iterator[None]:
    """Close the figures of a test behind it: matplotlib warns of more than 20."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


# No test fails because a machine is busy: an example may take any time, and so may drawing one.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
patient = settings.get_profile("patient")
# The same examples in every run, so that a failure is a change's doing; HYPOTHESIS_PROFILE=explore draws new ones.
settings.register_profile("steady", patient, derandomize=True)
settings.register_profile("explore", patient, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
