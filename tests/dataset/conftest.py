"""Files to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from climbfast.dataset.foreign import read_here


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    """Write a file, and return its path."""

    def write(content: str | bytes, name: str = "data.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the files of other programs without a process for each; ``test_foreign`` tests that."""
    monkeypatch.setattr("climbfast.dataset.foreign.read_foreign", read_here)
