"""The kernel of a notebook, as far as progress knows it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any


def fake_kernel(monkeypatch, *, shell: str = "ZMQInteractiveShell") -> list[list[dict[str, Any]]]:
    """Put an IPython in place; return the list of outputs, each with all that it showed in turn."""
    outputs: list[list[dict[str, Any]]] = []

    class Handle:
        def __init__(self, content):
            self.versions = [content]
            outputs.append(self.versions)

        def update(self, content, *, raw):
            assert raw
            self.versions.append(content)

    def display(content, *, raw, display_id):
        assert raw
        assert display_id
        return Handle(content)

    ipython, displays = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = type(shell, (), {})
    displays.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", displays)
    return outputs


def wait_until(holds: Callable[[], object]) -> None:
    """Wait for what another thread does."""
    end = time.monotonic() + 30
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    assert holds()
