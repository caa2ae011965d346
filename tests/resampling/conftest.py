"""Interrupts as at a terminal."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _interrupts() -> Iterator[None]:
    """Hear Ctrl-C, here and in child processes: a shell has it ignored by what it starts in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
