"""``bench.tools.check`` on real kernels: it finds those that are called twice, and no unchanged one. Half a minute."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.tools.check import main
from climbfast_kernels import patterns

CHECKED = ("patterns/weakest[3-1-6]", "patterns/sweep_given[ternary-2]", "counts/count[20000-4-2-dense]")


def twice(once: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel made twice as slow."""

    def kernel(*arguments: Any) -> Any:
        once(*arguments)
        return once(*arguments)

    return kernel


def test_a_kernel_called_twice_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = ["--baseline", str(tmp_path / "baseline.csv")]
    assert main([*baseline, "--add", *CHECKED, "directions[example-climb]"]) == 0
    assert main(baseline) == 0
    assert "slower" not in capsys.readouterr().out

    for name in ("weakest_around", "sweep_each"):
        monkeypatch.setattr(patterns, name, twice(getattr(patterns, name)))
    assert main(baseline) == 1
    slower = {line.split()[0] for line in capsys.readouterr().out.splitlines() if "slower" in line}
    assert slower == {*CHECKED}
