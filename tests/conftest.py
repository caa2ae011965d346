"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples in every run, so that a failure is a change's doing; HYPOTHESIS_PROFILE=explore draws new ones.
settings.register_profile("steady", derandomize=True)
settings.register_profile("explore", print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
