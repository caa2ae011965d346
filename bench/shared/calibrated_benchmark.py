"""The benchmarks in calibrated time: a plugin of pytest that takes the place of pytest-benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from bench.shared.calibrated_clock import Window, window


class CalibratedBenchmark:
    """The fixture ``benchmark`` of pytest-benchmark, in calibrated time; a test is over once it is measured."""

    stats = None

    def __init__(self, keep: Callable[[Window], object]) -> None:
        self.keep = keep
        self.extra_info: dict[str, object] = {}

    def __call__(self, function: Callable[..., object], *args: Any, **kwargs: Any) -> None:
        """Measure ``function``."""
        self.pedantic(function, args, kwargs)

    def pedantic(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
        setup: Callable[[], tuple[tuple[Any, ...], Mapping[str, Any]] | None] | None = None,
        **rounds: int,
    ) -> None:
        """Measure ``function``, with the arguments that ``setup`` returns, if any; how many rounds is decided here."""
        given = args, kwargs or {}

        def prepare() -> None:
            nonlocal given
            given = (setup and setup()) or given

        def call() -> object:
            return function(*given[0], **given[1])

        self.keep(window(call, setup=prepare) if setup else window(partial(function, *args, **(kwargs or {}))))
        pytest.skip("measured")  # what follows finds out what the work amounted to, which takes longer


class CalibrationPlugin:
    """A plugin of pytest that measures the chosen benchmarks, in place of pytest-benchmark."""

    def __init__(self, chosen: Callable[[str], bool], progress: Callable[[str], object]) -> None:
        self.windows: dict[str, Window] = {}
        self.is_interrupted = False
        self._chosen, self._progress = chosen, progress

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "benchmark: how many rounds pytest-benchmark runs")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._chosen(short_name(item.nodeid))]

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        # By its exit code an interruption cannot be told from a benchmark file with an error in it.
        self.is_interrupted = excinfo.type is KeyboardInterrupt

    @pytest.fixture
    def benchmark(self, request: pytest.FixtureRequest) -> CalibratedBenchmark:
        name = short_name(request.node.nodeid)
        self._progress(name)
        return CalibratedBenchmark(partial(self.windows.__setitem__, name))


def short_name(node: str) -> str:
    """Return ``counts/count[…]`` for ``bench/benchmarks/test_counts.py::test_count[…]``."""
    return node.removeprefix("bench/benchmarks/test_").replace(".py::test_", "/", 1)
